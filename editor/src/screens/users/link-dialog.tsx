import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Secret } from '../../components/secret.tsx'
import { formatInstant } from '../../dates.ts'
import type { CreateSignInLinkMutation } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import { useUserMessages } from './messages/messages.ts'

export type Link = NonNullable<CreateSignInLinkMutation['createSignInLink']>

interface Props {
  readonly name: string
  readonly link: Link
  readonly onClose: () => void
}

export function LinkDialog({ name, link: { url, mailedTo, expiresAt }, onClose }: Props) {
  const messages = useMessages()
  const texts = useUserMessages()
  const until = formatInstant(expiresAt ?? '')
  return (
    <Dialog title={texts.linkTitle(name)} onClose={onClose}>
      {mailedTo && <p>{texts.linkMailed(mailedTo, until)}</p>}
      {url && <Secret label={texts.linkLabel} help={texts.linkOnce(until)} value={url} />}
      <div className="actions">
        <Button look="primary" onClick={onClose}>
          {messages.done}
        </Button>
      </div>
    </Dialog>
  )
}
