import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Checkbox, Select, TextField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import {
  CreateWebhookDocument,
  type LanguageCode,
  UpdateWebhookDocument,
  type WebhookCardFragment,
} from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { languageName, nameIn, useMessages } from '../../messages.ts'
import { useSession } from '../../session.tsx'
import { contentLanguage, contentLanguages, tagOf } from '../../site.ts'
import { kinds, splitFilter, toFilter } from './filter.ts'
import { useWebhookMessages } from './messages/messages.ts'

interface Props {
  /** The webhook to change; none for a new one. */
  readonly webhook?: WebhookCardFragment
  readonly onClose: () => void
  readonly onSecret?: (secret: string) => void
}

export function WebhookDialog({ webhook, onClose, onSecret }: Props) {
  const messages = useMessages()
  const texts = useWebhookMessages()
  const toast = useToast()
  const { viewer } = useSession()
  const before = splitFilter(webhook?.filter ?? {})
  const [url, setUrl] = useState<string>(webhook?.url ?? '')
  const [chosen, setChosen] = useState(before.chosen)
  const [language, setLanguage] = useState<LanguageCode>(webhook?.language ?? contentLanguage)
  const [isOwnView, setOwnView] = useState(false)
  const [problem, setProblem] = useState<{ readonly isUrl: boolean; readonly text: ProblemText }>()
  const [{ fetching: isCreating }, create] = useMutation(CreateWebhookDocument)
  const [{ fetching: isUpdating }, update] = useMutation(UpdateWebhookDocument)

  async function save(event: FormEvent) {
    event.preventDefault()
    const input = { url: url.trim(), language, filter: toFilter(chosen, before.rest) }
    const { data, error } = webhook
      ? await update({ input: { ...input, id: webhook.id } })
      : await create({ input: { ...input, ...(isOwnView && { userId: viewer.id }) } })
    const payload = data && ('updateWebhook' in data ? data.updateWebhook : data.createWebhook)
    const isUrl =
      payload?.userErrors[0]?.path[0] === 'url' ||
      (error?.graphQLErrors.some(({ message }) => /url/i.test(message)) ?? false)
    const failure = isUrl ? texts.urlWrong : problemOf(payload?.userErrors, error, messages)
    setProblem(failure === undefined ? undefined : { isUrl, text: failure })
    if (failure !== undefined) return
    onClose()
    const secret = data && 'createWebhook' in data ? data.createWebhook?.secret : undefined
    if (secret) onSecret?.(secret)
    else toast({ text: texts.saved })
  }

  return (
    <Dialog title={webhook ? texts.of(texts.edit, webhook.url) : texts.new} onClose={onClose}>
      <form className="stack" noValidate onSubmit={save}>
        {problem && !problem.isUrl && (
          <p className="notice error" role="alert">
            {problem.text}
          </p>
        )}
        <TextField
          label={texts.url}
          help={texts.urlHelp}
          error={problem?.isUrl ? problem.text : undefined}
          type="url"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <fieldset className="kinds">
          <legend>{texts.kinds}</legend>
          <p className="help">{texts.kindsHelp}</p>
          {kinds.map((kind) => (
            <Checkbox
              key={kind}
              label={nameIn(texts.kind, kind)}
              checked={chosen.includes(kind)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, kind] : chosen.filter((other) => other !== kind))
              }
            />
          ))}
        </fieldset>
        {contentLanguages.length > 1 && (
          <Select
            label={texts.language}
            value={language}
            onChange={({ target }) => setLanguage(target.value as LanguageCode)}
          >
            {contentLanguages.map((code) => (
              <option key={code} value={code}>
                {languageName(tagOf(code))}
              </option>
            ))}
          </Select>
        )}
        {!webhook && (
          <Select
            label={texts.view}
            value={isOwnView ? 'own' : 'visitors'}
            onChange={({ target }) => setOwnView(target.value === 'own')}
          >
            <option value="visitors">{texts.visitors}</option>
            <option value="own">{texts.own}</option>
          </Select>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={isCreating || isUpdating}>
            {webhook ? messages.save : texts.create}
          </Button>
          <Button onClick={onClose}>{messages.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
