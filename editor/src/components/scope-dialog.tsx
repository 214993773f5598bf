import { type ReactNode, useState } from 'react'
import type { SeriesScope } from '../gql/graphql.ts'
import { useMessages } from '../messages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { RadioGroup } from './field.tsx'

const scopes = ['THIS', 'FOLLOWING', 'ALL'] as const satisfies SeriesScope[]
export type Scope = (typeof scopes)[number]

interface Props {
  readonly title: string
  /** What changes, such as the new date. */
  readonly when: ReactNode
  /** What each choice means. */
  readonly help?: Readonly<Record<Scope, string>>
  /** The only choice that the change has. */
  readonly only?: Scope
  readonly onClose: () => void
  readonly onChoose: (scope: Scope) => void
}

/** Asks which dates of a repeated event change. */
export function ScopeDialog({ title, when, help, only, onClose, onChoose }: Props) {
  const messages = useMessages()
  const { scope: texts } = messages
  const [scope, setScope] = useState(only ?? 'THIS')
  return (
    <Dialog title={texts.title(title)} onClose={onClose}>
      <div>{when}</div>
      <RadioGroup
        label={texts.question}
        options={(only ? [only] : scopes).map((value) => ({ value, label: texts[value], help: help?.[value] }))}
        value={scope}
        onChange={setScope}
      />
      <div className="actions">
        <Button look="primary" onClick={() => onChoose(scope)}>
          {texts.change}
        </Button>
        <Button onClick={onClose}>{messages.cancel}</Button>
      </div>
    </Dialog>
  )
}
