import { useId, useState } from 'react'
import { useClient, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/states.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatNumber } from '../../dates.ts'
import { DuplicatesDocument, type DuplicatesQuery } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { detailOf, type Kind } from './kinds.ts'
import { useRecordMessages } from './messages/messages.ts'

type Candidate = Extract<DuplicatesQuery['duplicates'][number]['records'][number], { readonly name: string }>
type Pair = readonly [Candidate, Candidate]

/** Pairs of records that may stand for the same thing. */
export function Duplicates({ kind }: { readonly kind: Kind }) {
  const texts = useRecordMessages()
  const id = useId()
  const [{ data, error }, reload] = useQuery({ query: DuplicatesDocument, variables: { kind: kind.merged } })
  const [compared, setCompared] = useState<Pair>()
  const pairs = (data?.duplicates ?? []).flatMap(({ records }): Pair[] => {
    const [first, second] = records.filter((record) => 'name' in record)
    return first && second ? [[first, second]] : []
  })
  if (error && !data) return <Failure error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
  if (pairs.length === 0) return null
  return (
    <section className="duplicates" aria-labelledby={id}>
      <h2 id={id}>{texts.duplicates}</h2>
      <p className="soft">{texts.duplicatesHelp}</p>
      <ul className="items">
        {pairs.map((pair) => (
          <li key={pair.map((record) => record.id).join()}>
            <div>{pair.map((record) => record.name).join(' – ')}</div>
            <Button about={pair.map((record) => record.name).join(' – ')} onClick={() => setCompared(pair)}>
              {texts.compare}
            </Button>
          </li>
        ))}
      </ul>
      {compared && (
        <MergeDialog
          kind={kind}
          pair={compared}
          onClose={() => setCompared(undefined)}
          onMerged={() => {
            setCompared(undefined)
            reload({ requestPolicy: 'network-only' })
          }}
        />
      )}
    </section>
  )
}

interface DialogProps {
  readonly kind: Kind
  readonly pair: Pair
  readonly onClose: () => void
  readonly onMerged: () => void
}

/** Shows both records, and merges one into the other. */
function MergeDialog({ kind, pair, onClose, onMerged }: DialogProps) {
  const messages = useMessages()
  const texts = useRecordMessages()
  const client = useClient()
  const toast = useToast()
  // The one with more events is better known.
  const [kept, setKept] = useState(pair[1].events.totalCount > pair[0].events.totalCount ? 1 : 0)
  const [problem, setProblem] = useState<ProblemText>()
  async function merge() {
    const [keep, other] = kept === 0 ? pair : ([pair[1], pair[0]] as const)
    const { userErrors, error } = await kind.merge(client, { input: { id: keep.id, mergedIds: [other.id] } })
    const found = problemOf(userErrors, error, messages)
    setProblem(found)
    if (found !== undefined) return
    toast({ text: texts.merged(keep.name) })
    onMerged()
  }
  return (
    <Dialog title={texts.mergeTitle} onClose={onClose}>
      <fieldset className="choices">
        <legend>{texts.keep}</legend>
        {pair.map((record, index) => (
          <label key={record.id} className="checkbox">
            <input type="radio" name="kept" checked={kept === index} onChange={() => setKept(index)} />
            <span>
              <b>{record.name}</b>
              <span className="soft block">
                {[detailOf(record), texts.events(formatNumber(record.events.totalCount))].filter(Boolean).join(' · ')}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <p>{texts.mergeText}</p>
      {problem && (
        <p className="notice error" role="alert">
          {problem}
        </p>
      )}
      <div className="actions">
        <Button look="primary" onClick={merge}>
          {texts.merge}
        </Button>
        <Button onClick={onClose}>{texts.different}</Button>
      </div>
    </Dialog>
  )
}
