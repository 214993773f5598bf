import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextArea } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { AskAboutProposalDocument, DeclineProposalDocument } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useQueueMessages } from './messages/messages.ts'

interface Props {
  readonly kind: 'ask' | 'decline'
  readonly proposalId: string
  readonly title: string
  readonly onClose: () => void
  readonly onDecided: () => void
}

/** A text for the sender: a question, or the reason why a proposal is declined. */
export function AnswerDialog({ kind, proposalId, title, onClose, onDecided }: Props) {
  const messages = useMessages()
  const texts = useQueueMessages()
  const toast = useToast()
  const [reply, setReply] = useState('')
  const [problem, setProblem] = useState<ProblemText>()
  const [{ fetching: isAsking }, ask] = useMutation(AskAboutProposalDocument)
  const [{ fetching: isDeclining }, decline] = useMutation(DeclineProposalDocument)
  const isAsk = kind === 'ask'

  async function send(event: FormEvent) {
    event.preventDefault()
    if (reply.trim() === '') return setProblem(texts.replyEmpty)
    const input = { proposalId, reply }
    const { data, error } = isAsk ? await ask({ input }) : await decline({ input })
    const payload = data && ('askAboutProposal' in data ? data.askAboutProposal : data.declineProposal)
    const isDecided = payload?.userErrors.some(({ code }) => code === 'CONFLICT')
    const failure = isDecided ? texts.decided : problemOf(payload?.userErrors, error, messages)
    setProblem(failure)
    if (failure !== undefined) return
    toast({ text: isAsk ? texts.askedDone : texts.declined(title) })
    onClose()
    onDecided()
  }

  return (
    <Dialog title={isAsk ? texts.askTitle(title) : texts.declineTitle(title)} onClose={onClose}>
      <form className="stack" noValidate onSubmit={send}>
        <TextArea
          label={isAsk ? texts.question : texts.reason}
          help={isAsk ? texts.questionHelp : texts.reasonHelp}
          error={problem}
          value={reply}
          maxLength={2000}
          rows={5}
          onChange={({ target }) => setReply(target.value)}
        />
        <div className="actions">
          <Button type="submit" look={isAsk ? 'primary' : 'danger'} disabled={isAsking || isDeclining}>
            {isAsk ? texts.send : texts.decline}
          </Button>
          <Button onClick={onClose}>{messages.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
