import { formatSpan } from '../../dates.ts'
import type { Draft } from './draft.ts'
import { useImportMessages } from './messages/messages.ts'

/** The rows, with what is wrong with them. */
export function DraftTable({ drafts }: { readonly drafts: readonly Draft[] }) {
  const texts = useImportMessages()
  return (
    <section className="stack">
      <h2>{texts.preview}</h2>
      <table className="drafts">
        <thead>
          <tr>
            <th scope="col">{texts.row}</th>
            <th scope="col">{texts.targets.title}</th>
            <th scope="col">{texts.when}</th>
            <th scope="col">{texts.targets.venue}</th>
          </tr>
        </thead>
        <tbody>
          {drafts.map((draft) => (
            <DraftRow key={draft.row.number} draft={draft} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function DraftRow({ draft: { row, title, input, problems } }: { readonly draft: Draft }) {
  const texts = useImportMessages()
  const { startsLocal, endsLocal, allDay } = input
  const isWrong = problems.length > 0
  return (
    <tr className={isWrong ? 'wrong' : undefined}>
      <td>{row.number}</td>
      <th scope="row">
        {title}
        {problems.map(({ column, problem, value }) => (
          <span key={column + value} className="field-error">
            {texts.wrong(texts.targets[column], texts.problems[problem](value))}
          </span>
        ))}
      </th>
      <td>{!isWrong && formatSpan(startsLocal ?? '', endsLocal ?? '', allDay ?? false)}</td>
      <td>{input.venues?.[0]?.create?.name}</td>
    </tr>
  )
}
