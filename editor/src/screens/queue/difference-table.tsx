import type { ProposalCardFragment } from '../../gql/graphql.ts'
import { contentLanguage, tagOf } from '../../site.ts'
import type { Difference, Group } from './differences.ts'
import { useQueueMessages } from './messages/messages.ts'

interface Props {
  readonly proposal: ProposalCardFragment
  readonly differences: readonly Difference[]
  readonly isChange: boolean
  /** Groups that are not to be taken over. */
  readonly left: readonly Group[]
  readonly onLeave: (left: readonly Group[]) => void
}

/** The values of a new event; or what a correction changes, with a choice of what to take over. */
export function DifferenceTable({ proposal, differences, isChange, left, onLeave }: Props) {
  const texts = useQueueMessages()
  const lang = tagOf(proposal.language ?? contentLanguage)
  if (differences.length === 0) return <p className="soft">{texts.nothingChanges}</p>
  if (!isChange) {
    return (
      <dl className="values">
        {differences.map(({ group, after }) => (
          <div key={group}>
            <dt>{texts.fields[group]}</dt>
            <dd className="queue-text" lang={lang}>
              {after}
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  return (
    <ul className="differences" aria-label={texts.changes}>
      {differences.map(({ group, before, after }) => (
        <li key={group}>
          <label className="checkbox">
            <input
              type="checkbox"
              aria-label={texts.take(texts.fields[group])}
              checked={!left.includes(group)}
              onChange={({ target }) =>
                onLeave(target.checked ? left.filter((other) => other !== group) : [...left, group])
              }
            />
            <b>{texts.fields[group]}</b>
          </label>
          <Value label={texts.before} text={before} lang={lang} />
          <Value label={texts.after} text={after} lang={lang} isNew />
        </li>
      ))}
    </ul>
  )
}

interface ValueProps {
  readonly label: string
  readonly text: string
  readonly lang: string
  readonly isNew?: boolean
}

function Value({ label, text, lang, isNew = false }: ValueProps) {
  const { empty } = useQueueMessages()
  return (
    <div className={isNew ? 'value new' : 'value'}>
      <span className="soft">{label}</span>
      {text === '' ? (
        <i>{empty}</i>
      ) : (
        <span className="queue-text" lang={lang}>
          {text}
        </span>
      )}
    </div>
  )
}
