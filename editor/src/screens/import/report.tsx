import { Link } from 'wouter'
import { useImportMessages } from './messages/messages.ts'
import type { Progress } from './use-import.ts'

/** How far the import is, and which rows failed. */
export function Report({ progress: { total, created, failures } }: { readonly progress: Progress }) {
  const texts = useImportMessages()
  const done = created + failures.length
  const text = done < total ? texts.progress(done, total) : texts.created(created)
  return (
    <section className="stack">
      <progress max={total} value={done} aria-label={texts.progress(done, total)} />
      <p role="status">{text}</p>
      {failures.length > 0 && (
        <>
          <h2>{texts.failed(failures.length)}</h2>
          <ul>
            {failures.map(({ draft, problem }) => (
              <li key={draft.row.number}>
                <b>{texts.rowOf(draft.row.number, draft.title)}</b> {problem}
              </li>
            ))}
          </ul>
        </>
      )}
      {done === total && (
        <div className="actions">
          <Link href="/?time=all&state=DRAFT" className="button primary">
            {texts.toDrafts}
          </Link>
        </div>
      )}
    </section>
  )
}
