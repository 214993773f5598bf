import { type FormEvent, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { Screen } from '../../components/screen.tsx'
import { Secret } from '../../components/secret.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatInstant } from '../../dates.ts'
import {
  CreateApiTokenDocument,
  CreateApplicationPasswordDocument,
  type CredentialRowFragment,
  OwnCredentialsDocument,
  RevokeCredentialDocument,
} from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useCredentialMessages } from './messages/messages.ts'
import '../../styles/cards.css'

const kinds = ['APPLICATION_PASSWORD', 'API_TOKEN'] as const
type Kind = (typeof kinds)[number]

/** The own application passwords and tokens. */
export function CredentialsScreen() {
  const messages = useMessages()
  const texts = useCredentialMessages()
  const toast = useToast()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<CredentialRowFragment>()
  const [{ data, error }, retry] = useQuery({ query: OwnCredentialsDocument, requestPolicy: 'cache-and-network' })
  const [, revoke] = useMutation(RevokeCredentialDocument)
  const reload = () => retry({ requestPolicy: 'network-only' })
  const credentials = data?.viewer?.credentials?.filter(
    ({ kind, revokedAt }) => kinds.some((name) => name === kind) && !revokedAt,
  )

  async function confirm({ id, name }: CredentialRowFragment) {
    const { data, error } = await revoke({ input: { id } })
    const problem = problemOf(data?.revokeCredential?.userErrors, error, messages)
    setRevoked(undefined)
    toast(problem === undefined ? { text: texts.revoked(name) } : { text: problem, isError: true })
  }

  return (
    <Screen
      title={messages.screens.credentials}
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          {texts.new}
        </Button>
      }
    >
      <p className="soft">{texts.intro}</p>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!error && !credentials && <Loading />}
      {credentials?.length === 0 && (
        <Empty>
          <p>{texts.none}</p>
        </Empty>
      )}
      {credentials && credentials.length > 0 && (
        <ul className="cards" aria-label={messages.screens.credentials}>
          {credentials.map((credential) => (
            <li key={credential.id} className="card">
              <div className="card-main">
                <h2>{credential.name}</h2>
                <p className="soft">{summaryOf(credential, texts)}</p>
              </div>
              <Button
                look="danger"
                aria-label={texts.revokeTitle(credential.name)}
                onClick={() => setRevoked(credential)}
              >
                {texts.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isCreating && <NewCredentialDialog onClose={() => setCreating(false)} onCreated={reload} />}
      {revoked && (
        <ConfirmDialog
          title={texts.revokeTitle(revoked.name)}
          text={texts.revokeText}
          action={texts.revoke}
          onClose={() => setRevoked(undefined)}
          onConfirm={() => confirm(revoked)}
        />
      )}
    </Screen>
  )
}

function summaryOf(
  { kind, createdAt, lastUsedAt, expiresAt }: CredentialRowFragment,
  texts: ReturnType<typeof useCredentialMessages>,
): string {
  return [
    texts.kinds[kind as Kind],
    texts.created(formatInstant(createdAt)),
    lastUsedAt ? texts.lastUse(formatInstant(lastUsedAt)) : texts.unused,
    ...(expiresAt ? [texts.expires(formatInstant(expiresAt))] : []),
  ].join(' · ')
}

interface DialogProps {
  readonly onClose: () => void
  readonly onCreated: () => void
}

/** Asks for a name, and shows the secret once. */
function NewCredentialDialog({ onClose, onCreated }: DialogProps) {
  const messages = useMessages()
  const texts = useCredentialMessages()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('APPLICATION_PASSWORD')
  const [problem, setProblem] = useState<ProblemText>()
  const [secret, setSecret] = useState<string>()
  const [{ fetching: isCreatingPassword }, createPassword] = useMutation(CreateApplicationPasswordDocument)
  const [{ fetching: isCreatingToken }, createToken] = useMutation(CreateApiTokenDocument)

  async function create(event: FormEvent) {
    event.preventDefault()
    const input = { name }
    const { data, error } = kind === 'API_TOKEN' ? await createToken({ input }) : await createPassword({ input })
    const payload = data && ('createApiToken' in data ? data.createApiToken : data.createApplicationPassword)
    const isName = payload?.userErrors[0]?.path[0] === 'name'
    setProblem(isName ? texts.nameWrong : problemOf(payload?.userErrors, error, messages))
    if (!payload?.secret) return
    setSecret(payload.secret)
    onCreated()
  }

  if (secret !== undefined) {
    return (
      <Dialog title={texts.secretTitle(name)} onClose={onClose}>
        <Secret label={texts.secret} help={texts.secretHelp} value={secret} />
        <div className="actions">
          <Button look="primary" onClick={onClose}>
            {messages.done}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={texts.new} onClose={onClose}>
      <form className="stack" noValidate onSubmit={create}>
        <TextField
          label={texts.name}
          help={texts.nameHelp}
          error={problem}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Select
          label={texts.kind}
          value={kind}
          onChange={({ target }) => setKind(target.value === 'API_TOKEN' ? 'API_TOKEN' : 'APPLICATION_PASSWORD')}
        >
          {kinds.map((value) => (
            <option key={value} value={value}>
              {texts.kinds[value]}
            </option>
          ))}
        </Select>
        <div className="actions">
          <Button type="submit" look="primary" disabled={isCreatingPassword || isCreatingToken}>
            {texts.create}
          </Button>
          <Button onClick={onClose}>{messages.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
