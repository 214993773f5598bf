import { useState } from 'react'
import { useClient, useQuery } from 'urql'
import { Link, useLocation } from 'wouter'
import { eventHref } from '../components/event-card.tsx'
import { Field } from '../components/field.tsx'
import { Form, noProblems, type Problems, problemsOf } from '../components/form.tsx'
import { PageHeading, useTitle } from '../components/states.tsx'
import { graphql } from '../gql/gql.ts'
import type { CreateEventInput, RecordStatus } from '../gql/graphql.ts'
import { useLanguage } from '../languages.ts'
import { useSession } from '../session.tsx'
import { useSite } from '../site.ts'
import { CategoryField, ImageFields, TimeFields } from './new-event-fields.tsx'

const createMutation = graphql(`
  mutation CreateEvent($input: CreateEventInput!) {
    createEvent(input: $input) {
      event {
        ...EventCard
      }
      userErrors {
        ...UserErrorParts
      }
    }
  }
`)

const uploadMutation = graphql(`
  mutation UploadImage($file: File!, $altText: String, $credit: String) {
    uploadImage(input: { file: $file, altText: $altText, credit: $credit }) {
      image {
        ...ImageParts
      }
      userErrors {
        ...UserErrorParts
      }
    }
  }
`)

const choicesQuery = graphql(`
  query FormChoices {
    categories(first: 100, orderBy: { field: NAME }) {
      nodes {
        id
        contentLanguage
        name
      }
    }
    venues(first: 100, orderBy: { field: NAME }) {
      nodes {
        id
        contentLanguage
        name
      }
    }
  }
`)

export function NewEventScreen() {
  const language = useLanguage()
  const { form: texts, signIn } = language.messages
  const site = useSite()
  const { viewer } = useSession()
  useTitle(texts.newTitle, site.name)
  return (
    <div className="page narrow">
      <PageHeading>{texts.newTitle}</PageHeading>
      {viewer ? (
        <>
          <p>{texts.writtenIn(language.name)}</p>
          <EventForm rights={viewer.rights ?? []} />
        </>
      ) : (
        <p className="notice">
          {texts.signInFirst} <Link href="/sign-in/?next=/new/">{signIn}</Link>
        </p>
      )}
    </div>
  )
}

function EventForm({ rights }: { readonly rights: readonly string[] }) {
  const { form: texts } = useLanguage().messages
  const site = useSite()
  const client = useClient()
  const [, navigate] = useLocation()
  const [{ data: choices }] = useQuery({ query: choicesQuery })
  const [problems, setProblems] = useState<Problems>(noProblems)
  const [isBusy, setBusy] = useState(false)
  const [uploaded, setUploaded] = useState<{ readonly file: File; readonly id: string }>()

  /** Uploads the picture once, also if the event is rejected and sent again. Undefined after an error. */
  const uploadImage = async (file: File, form: FormData): Promise<string | undefined> => {
    if (uploaded?.file.name === file.name && uploaded.file.lastModified === file.lastModified) return uploaded.id
    const { data, error } = await client
      .mutation(uploadMutation, { file, ...textsOf(form, 'altText', 'credit') })
      .toPromise()
    const { image, userErrors } = data?.uploadImage ?? {}
    if (image) setUploaded({ file, id: image.id })
    else setProblems(problemsOf(userErrors, error))
    return image?.id
  }

  const submit = async (form: FormData, status: string | undefined) => {
    setBusy(true)
    setProblems(noProblems)
    const file = form.get('file')
    const hasFile = file instanceof File && file.size > 0
    const imageId = hasFile ? await uploadImage(file, form) : undefined
    if (!hasFile || imageId !== undefined) {
      const state: RecordStatus = status === 'DRAFT' ? 'DRAFT' : 'PUBLISHED'
      const input = { ...inputOf(form), ...(imageId && { imageId }), status: state }
      const { data, error } = await client.mutation(createMutation, { input }).toPromise()
      const { event, userErrors } = data?.createEvent ?? {}
      if (event) return navigate(eventHref(event.url))
      setProblems(problemsOf(userErrors, error))
    }
    setBusy(false)
  }

  const { errors } = problems
  return (
    <Form problems={problems} onSubmit={(form, action) => void submit(form, action)}>
      <Field name="title" label={texts.title} errors={errors}>
        {(props) => <input {...props} autoComplete="off" />}
      </Field>
      <TimeFields errors={errors} timeZone={site.timeZone} />
      <div className="field-row">
        <Field name="venues" label={texts.venue} help={texts.venueHelp} errors={errors}>
          {(props) => <input {...props} list="venue-names" autoComplete="off" />}
        </Field>
        <Field name="city" label={texts.city}>
          {(props) => <input {...props} autoComplete="off" />}
        </Field>
      </div>
      <datalist id="venue-names">
        {choices?.venues.nodes.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <CategoryField categories={choices?.categories.nodes} errors={errors} />
      <div className="field-row">
        <Field name="cost" label={texts.cost} help={texts.costHelp} errors={errors}>
          {(props) => <input {...props} inputMode="decimal" autoComplete="off" />}
        </Field>
        <Field name="website" label={texts.website} errors={errors}>
          {(props) => <input {...props} type="url" autoComplete="off" />}
        </Field>
      </div>
      <Field name="excerpt" label={texts.excerpt} errors={errors}>
        {(props) => <textarea {...props} rows={2} />}
      </Field>
      <Field name="description" label={texts.description} errors={errors}>
        {(props) => <textarea {...props} rows={7} />}
      </Field>
      {rights.includes('UPLOAD') && <ImageFields errors={errors} />}
      <p className="actions">
        {rights.includes('PUBLISH') && (
          <button type="submit" value="PUBLISHED" className="button" disabled={isBusy}>
            {isBusy ? texts.saving : texts.publish}
          </button>
        )}
        <button type="submit" value="DRAFT" className="button secondary" disabled={isBusy}>
          {texts.saveDraft}
        </button>
      </p>
    </Form>
  )
}

const textsOf = (form: FormData, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '').trim()]))

/** The input of the mutation. Empty fields are left out; the service checks the others. */
function inputOf(form: FormData): CreateEventInput {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const optional = (name: string) => (text(name) === '' ? {} : { [name]: text(name) })
  // Browsers leave the seconds out.
  const localTime = (name: string) => (text(name) === '' ? {} : { [name]: `${text(name)}:00`.slice(0, 19) })
  const isAllDay = form.get('allDay') === 'on'
  const venue = text('venues')
  return {
    title: text('title'),
    ...localTime('startsLocal'),
    ...localTime('endsLocal'),
    ...optional('timeZone'),
    ...optional('excerpt'),
    ...optional('description'),
    ...optional('website'),
    ...(isAllDay && { allDay: true }),
    ...(text('cost') !== '' && { cost: [text('cost')] }),
    ...(venue !== '' && { venues: [{ create: { name: venue, ...optional('city'), orExisting: true } }] }),
    categories: form.getAll('categories').map((id) => ({ id: String(id) })),
  }
}
