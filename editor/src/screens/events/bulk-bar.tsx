import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import type { Selection } from './selection.ts'
import { useBulkChange } from './use-bulk-change.ts'

interface Props {
  readonly selection: Selection
  readonly onClear: () => void
}

export function BulkBar({ selection, onClear }: Props) {
  const { events: texts } = useMessages()
  const [isChoosing, setChoosing] = useState(false)
  const { isBusy, change } = useBulkChange(onClear)
  const canPublish = useRight('PUBLISH')
  const rows = [...selection.values()]
  const repeats = rows.some(({ series }) => series)
  return (
    <section className="bulk" aria-label={texts.selection}>
      <p>
        <b role="status">{texts.selected(rows.length)}</b> {repeats && texts.allDates}
      </p>
      <div className="actions">
        {canPublish && (
          <Button disabled={isBusy} onClick={() => change('publish', rows)}>
            {texts.publish}
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => change('unpublish', rows)}>
          {texts.unpublish}
        </Button>
        <Button disabled={isBusy} onClick={() => change('cancel', rows)}>
          {texts.cancelEvents}
        </Button>
        <Button disabled={isBusy} onClick={() => setChoosing(true)}>
          {texts.addCategory}
        </Button>
        <Button disabled={isBusy} onClick={() => change('trash', rows)}>
          {texts.trash}
        </Button>
        <Button look="quiet" disabled={isBusy} onClick={onClear}>
          {texts.clearSelection}
        </Button>
      </div>
      {isChoosing && (
        <CategoryDialog
          onClose={() => setChoosing(false)}
          onChoose={(category) => {
            setChoosing(false)
            change('categorise', rows, category)
          }}
        />
      )}
    </section>
  )
}
