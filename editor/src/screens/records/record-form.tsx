import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { Link, useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { useIsOpen } from '../../components/use-is-open.ts'
import { useLeaveWarning } from '../../components/use-leave-warning.ts'
import type { UserErrorPartsFragment } from '../../gql/graphql.ts'
import { type ProblemText, problemOf, userErrorText } from '../../graphql/errors.ts'
import { useCategories } from '../../graphql/use-categories.ts'
import { useMessages } from '../../messages.ts'
import { contentLanguage, contentLanguages, tagOf } from '../../site.ts'
import { HtmlField } from '../event/html-field.tsx'
import { readPicture, savePicture } from '../event/picture.ts'
import { PictureField } from '../event/picture-field.tsx'
import { Section } from '../event/section.tsx'
import { useUpload } from '../event/use-upload.ts'
import { axes, readInput } from './input.ts'
import { type FieldName, type Item, type KindName, kindOf, type Written } from './kinds.ts'
import { useRecordMessages } from './messages/messages.ts'

interface Props {
  readonly name: KindName
  /** Undefined for a new record. */
  readonly loaded: Item | undefined
  readonly onReload: () => void
}

const inputTypes = { phone: 'tel', email: 'email', website: 'url' } as const
const pictureOf = (item: Item | undefined) => (item?.image ? readPicture(item.image) : null)
const typeOf = (field: FieldName) => inputTypes[field as keyof typeof inputTypes] ?? 'text'

export function RecordForm({ name, loaded, onReload }: Props) {
  // What somebody else saves in the meantime is not in the form. So it is not the version that the form changes.
  const [item, setItem] = useState(loaded)
  const [picture, setPicture] = useState(() => pictureOf(loaded))
  const messages = useMessages()
  const texts = useRecordMessages()
  const client = useClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const isOpen = useIsOpen()
  const kind = kindOf(name)
  const [errors, setErrors] = useState<readonly UserErrorPartsFragment[]>([])
  const [problem, setProblem] = useState<ProblemText>()
  const [isBusy, setBusy] = useState(false)
  const [isUnsaved, setUnsaved] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { isUploading, onUpload, proceedLater } = useUpload(() => form.current?.requestSubmit())
  useLeaveWarning(isUnsaved || isBusy || isUploading, messages.leave)
  const isReadOnly = item !== undefined && !item.viewerCanUpdate
  // The form of a created record replaces this one, and would lose what is typed during the request.
  const isDisabled = isReadOnly || (isBusy && !item)
  const hasConflict = errors.some(({ code }) => code === 'CONFLICT')

  useEffect(() => {
    if (errors.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  /** Says what is wrong: at the field if there is one. Returns whether the write worked. */
  function check({ userErrors = [], error }: Written): boolean {
    setErrors(userErrors)
    const other = userErrors.filter(({ path }) => !kind.fields.some((field) => path[0] === field))
    setProblem(hasConflictIn(userErrors) ? texts.conflict : problemOf(other, error, messages))
    return userErrors.length === 0 && !error
  }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isUploading) return proceedLater(undefined)
    const data = new FormData(event.currentTarget)
    const { input, errors } = readInput(data, kind.fields, picture, item)
    if (errors.length > 0) return check({ userErrors: errors, error: undefined })
    setBusy(true)
    setUnsaved(false)
    const refused = await savePicture(client, picture)
    const written: Written = refused ?? (await write(input, data.has('minorChange')))
    setBusy(false)
    if (!check(written)) return setUnsaved(true)
    toast({ text: texts.saved(input.name) })
    if (!written.item || !isOpen.current) return
    if (!item) return navigate(`/${name}/${written.item.databaseId}`, { replace: true })
    setItem(written.item)
    // Unless somebody chose or described another one in the meantime.
    setPicture((shown) => (shown === picture ? pictureOf(written.item ?? undefined) : shown))
  }

  const write = (input: ReturnType<typeof readInput>['input'], minorChange: boolean): Promise<Written> =>
    item
      ? kind.update(client, {
          input: { ...input, id: item.id, ifUnmodifiedSince: item.modifiedAt, minorChange },
        })
      : kind.create(client, { input })
  const errorAt = (...at: readonly string[]) => {
    const error = errors.find(({ path }) => at.every((part, index) => path[index] === part))
    return error && userErrorText(error, messages)
  }

  const onChange = () => setUnsaved(true)
  const control = { disabled: isDisabled, onChange }

  return (
    <form ref={form} className="record-form" noValidate onSubmit={save}>
      {isReadOnly && <p className="notice">{texts.noRight}</p>}
      {problem && (
        <div className="notice error" role="alert">
          <p>{problem}</p>
          {hasConflict && <Button onClick={onReload}>{texts.load}</Button>}
        </div>
      )}
      {kind.fields.map((field) => {
        if (field === 'coordinates')
          return (
            <div className="coordinates" key={field}>
              {axes.map((axis) => (
                <TextField
                  key={axis}
                  {...control}
                  name={axis}
                  label={messages.history.fields[axis]}
                  error={errorAt(field, axis)}
                  defaultValue={item?.coordinates?.[axis] ?? ''}
                  inputMode="decimal"
                  autoComplete="off"
                />
              ))}
            </div>
          )
        if (field === 'imageId')
          return (
            <Section title={messages.history.fields.image} key={field}>
              <PictureField
                value={picture}
                error={errorAt(field)}
                isDisabled={isDisabled}
                onUpload={onUpload}
                onChange={(chosen) => {
                  setUnsaved(true)
                  setPicture(chosen)
                }}
              />
            </Section>
          )
        const label = messages.history.fields[field === 'parentId' ? 'parent' : field]
        const common = { ...control, name: field, label, error: errorAt(field) }
        if (field === 'parentId') return <ParentField key={field} {...common} item={item} />
        const value = item?.[field] ?? ''
        if (field === 'description' && kind.trash)
          return (
            <HtmlField
              key={field}
              {...{ name: field, label, error: errorAt(field) }}
              lang={tagOf(contentLanguage)}
              defaultValue={value}
              isDisabled={isDisabled}
              onChange={onChange}
            />
          )
        if (field === 'description') return <TextArea key={field} {...common} rows={8} defaultValue={value} />
        return (
          <TextField
            key={field}
            {...common}
            type={typeOf(field)}
            defaultValue={value}
            required={field === 'name'}
            autoComplete="off"
          />
        )
      })}
      {item && !isReadOnly && contentLanguages.length > 1 && (
        // Each change is asked about anew.
        <Checkbox label={texts.minor} name="minorChange" key={item.modifiedAt} />
      )}
      <div className="actions">
        {!isReadOnly && (
          <Button type="submit" look="primary" disabled={isBusy}>
            {messages.save}
          </Button>
        )}
        {item && (
          <>
            <Link href={`/translations?record=${item.id}`}>{texts.translate}</Link>
            <Link href={`/${name}/${item.databaseId}/history`}>{messages.history.link}</Link>
            <a href={item.url}>{texts.view}</a>
            {!isReadOnly && <Removal name={name} item={item} onFailure={check} />}
          </>
        )}
      </div>
    </form>
  )
}

const hasConflictIn = (errors: readonly UserErrorPartsFragment[]) => errors.some(({ code }) => code === 'CONFLICT')

interface ParentProps {
  readonly name: string
  readonly label: string
  readonly error: ProblemText | undefined
  readonly disabled: boolean
  readonly onChange: () => void
  readonly item: Item | undefined
}

function ParentField({ item, onChange, ...props }: ParentProps) {
  const texts = useRecordMessages()
  const categories = useCategories() ?? []
  const { parent } = item ?? {}
  // Kept here: a browser chooses the first option when the chosen one leaves the list, as it does when it becomes the parent.
  const [value, setValue] = useState(parent?.id ?? '')
  return (
    <Select
      {...props}
      value={value}
      onChange={({ target }) => {
        setValue(target.value)
        onChange()
      }}
    >
      <option value="">{texts.noParent}</option>
      {/* First, so that it is there before the others are read. */}
      {parent && <option value={parent.id}>{parent.name}</option>}
      {categories
        .filter(({ id }) => id !== item?.id && id !== parent?.id)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </Select>
  )
}

interface RemovalProps {
  readonly name: KindName
  readonly item: Item
  readonly onFailure: (written: Written) => boolean
}

/** Venues and organizers go to the trash, and come back from it. Categories and tags have none, so this asks first. */
function Removal({ name, item, onFailure }: RemovalProps) {
  const messages = useMessages()
  const texts = useRecordMessages()
  const client = useClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const isOpen = useIsOpen()
  const [isAsking, setAsking] = useState(false)
  const { trash, restore, remove } = kindOf(name)

  if (trash && restore) {
    const undo = async () => {
      const { userErrors, error } = await restore(client, { input: { id: item.id } })
      const problem = problemOf(userErrors, error, messages)
      toast({ text: problem ?? texts.restored(item.name), isError: problem !== undefined })
    }
    return (
      <Button
        onClick={async () => {
          if (!onFailure(await trash(client, { id: item.id }))) return
          toast({ text: texts.trashed(item.name), undo })
          if (isOpen.current) navigate(`/${name}`)
        }}
      >
        {texts.trash}
      </Button>
    )
  }
  if (!remove || !item.viewerCanDelete) return null
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteTitle(item.name)}
          text={texts.deleteText}
          action={texts.delete}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            setAsking(false)
            if (!onFailure(await remove(client, { id: item.id }))) return
            toast({ text: texts.deleted(item.name) })
            if (isOpen.current) navigate(`/${name}`)
          }}
        />
      )}
    </>
  )
}
