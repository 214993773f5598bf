import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import type { SeriesScope } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'

const scopes = ['THIS', 'FOLLOWING', 'ALL'] as const satisfies SeriesScope[]

interface Props {
  readonly title: string
  /** The new date. */
  readonly when: ReactNode
  readonly onClose: () => void
  readonly onChoose: (scope: SeriesScope) => void
}

/** Asks which dates of a repeated event change. */
export function ScopeDialog({ title, when, onClose, onChoose }: Props) {
  const messages = useMessages()
  const { scope: texts } = messages
  const [scope, setScope] = useState<SeriesScope>('THIS')
  return (
    <Dialog title={texts.title(title)} onClose={onClose}>
      <p>{when}</p>
      <fieldset className="choices">
        <legend>{texts.question}</legend>
        {scopes.map((name) => (
          <label key={name} className="checkbox">
            <input type="radio" name="scope" checked={scope === name} onChange={() => setScope(name)} />
            <span>{texts[name]}</span>
          </label>
        ))}
      </fieldset>
      <div className="actions">
        <Button look="primary" onClick={() => onChoose(scope)}>
          {texts.change}
        </Button>
        <Button onClick={onClose}>{messages.cancel}</Button>
      </div>
    </Dialog>
  )
}
