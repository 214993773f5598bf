import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/field.tsx'
import { formatClock } from '../../dates.ts'
import type { RecordStatus } from '../../gql/graphql.ts'
import { useRight } from '../../session.tsx'
import { basePath, contentLanguage, tagOf } from '../../site.ts'
import { useEventMessages } from './messages/messages.ts'
import type { MissingPart } from './missing.ts'
import { type EventForm, isDraft } from './use-event-form.ts'

interface Props {
  readonly form: EventForm
  readonly missing: readonly MissingPart[]
  /** Whether the texts were changed that other languages translate. */
  readonly canBeMinor: boolean
  readonly isMinor: boolean
  readonly onMinor: (isMinor: boolean) => void
  /** Saves; a status publishes, or makes a draft. */
  readonly onSave: (status?: RecordStatus) => void
}

/** At the end of the screen: whether everything is saved, what is missing, and what to do next. */
export function SaveBar({ form, missing, canBeMinor, isMinor, onMinor, onSave }: Props) {
  const { bar: texts } = useEventMessages()
  const canPublish = useRight('PUBLISH')
  const { event, save } = form
  const isBusy = save.state === 'saving'
  const draft = !event || isDraft(event.status)
  return (
    <section className="save-bar" aria-label={texts.label}>
      <div className="save-state">
        <SaveState form={form} />
        {draft && missing.length > 0 && (
          <p className="help">
            {texts.missingLabel} {missing.map((part) => texts.missing[part]).join(', ')}
          </p>
        )}
        {!draft && canBeMinor && (
          <Checkbox label={texts.minor} checked={isMinor} onChange={({ target }) => onMinor(target.checked)} />
        )}
      </div>
      <div className="actions">
        {event && (
          <a
            className="button quiet"
            href={
              event.status === 'PUBLISHED'
                ? event.url
                : `${basePath}/${tagOf(contentLanguage)}/edit/preview/${event.databaseId}`
            }
            target="_blank"
            rel="noreferrer"
          >
            {event.status === 'PUBLISHED' ? texts.view : texts.preview}
          </a>
        )}
        {event && event.status !== 'DRAFT' && (
          <Button look="quiet" disabled={isBusy} onClick={() => onSave('DRAFT')}>
            {texts.unpublish}
          </Button>
        )}
        {draft ? (
          <Button
            look="primary"
            disabled={isBusy || (!canPublish && event?.status === 'PENDING')}
            onClick={() => onSave(canPublish ? 'PUBLISHED' : 'PENDING')}
          >
            {canPublish ? texts.publish : texts.submit}
          </Button>
        ) : (
          <Button look="primary" type="submit" disabled={isBusy || !form.isUnsaved}>
            {texts.saveChanges}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Only what is final is read by screen readers, so that typing is not interrupted. */
function SaveState({ form: { event, save, isUnsaved } }: { readonly form: EventForm }) {
  const { bar: texts } = useEventMessages()
  const isFinal = save.state === 'failed' || (save.state === 'saved' && !isUnsaved)
  const final =
    save.state === 'failed' ? (
      <>
        {texts.failed} {save.problem}
      </>
    ) : (
      save.at && texts.saved(formatClock(save.at))
    )
  const passing =
    save.state === 'saving' ? texts.saving : isUnsaved ? (event ? texts.unsaved : texts.autosave) : event && texts.clean
  return (
    <>
      <div className="field-error" role="status">
        {save.isStatusRefused && save.state !== 'failed' && (
          <>
            {texts.refused} {save.problem}
          </>
        )}
      </div>
      <p className={save.state === 'failed' ? 'field-error' : 'soft'}>
        <span role="status">{isFinal && final}</span>
        {!isFinal && (passing || texts.autosave)}
      </p>
    </>
  )
}
