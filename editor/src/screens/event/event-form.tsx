import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { type Scope, ScopeDialog } from '../../components/scope-dialog.tsx'
import { Screen } from '../../components/screen.tsx'
import { useToast } from '../../components/toast.tsx'
import { useLeaveWarning } from '../../components/use-leave-warning.ts'
import { formatSpan } from '../../dates.ts'
import type { FormEventFragment, LanguageCode, RecordStatus } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { contentLanguage, contentLanguages } from '../../site.ts'
import { StateBadge } from '../events/state-badge.tsx'
import { ConflictDialog, useFieldName } from './conflict-dialog.tsx'
import { DateActions } from './date-actions.tsx'
import { DatesFields } from './dates-section.tsx'
import { useEventMessages } from './messages/messages.ts'
import { findMissing, missingErrors } from './missing.ts'
import { PictureSection } from './picture-section.tsx'
import { PlaceSection } from './place-section.tsx'
import { PriceSection } from './price-section.tsx'
import { PublicationSection } from './publication-section.tsx'
import type { FieldErrors } from './refusal.ts'
import { hasOtherDates } from './requests.ts'
import { SaveBar } from './save-bar.tsx'
import { readSpan } from './schedule.ts'
import { Section } from './section.tsx'
import { hasTypedPassword, type Place } from './storage.ts'
import { TermsSection } from './terms-section.tsx'
import { LanguageSwitch, TextSection, TitleField } from './text-section.tsx'
import { isDraft, type SaveOptions, useEventForm } from './use-event-form.ts'
import { usePresence } from './use-presence.ts'
import { useUpload } from './use-upload.ts'
import { type FieldName, textFields, titledLanguages } from './values.ts'

interface Props {
  readonly loaded?: FormEventFragment
  /** Where the browser keeps what is not saved. */
  readonly keptAs: Place['event']
  readonly onCreated: (databaseId: number) => void
}

export function EventForm({ loaded, keptAs, onCreated }: Props) {
  const texts = useEventMessages()
  const { history } = useMessages()
  const toast = useToast()
  const nameField = useFieldName()
  const canWrite = useRight('WRITE')
  const form = useEventForm(loaded, keptAs, onCreated)
  const { event, values, save, met, unsaved, change } = form
  const [language, setLanguage] = useState<LanguageCode>(() => firstLanguage(form.values))
  const [isMissingShown, setMissingShown] = useState(false)
  const [isMinor, setMinor] = useState(false)
  const [asked, setAsked] = useState<SaveOptions>()
  const element = useRef<HTMLFormElement>(null)
  const [failures, setFailures] = useState(0)
  const isDisabled = event ? !event.viewerCanUpdate : !canWrite
  const others = usePresence(isDisabled ? undefined : (event?.series?.id ?? event?.id))
  const { isUploading, onUpload, proceedLater } = useUpload(start)
  useLeaveWarning(form.isUnsaved || isUploading, texts.bar.leave(hasTypedPassword(form.state)))

  const missing = findMissing(values)
  const errors: FieldErrors = {
    ...(isMissingShown && missingErrors(missing, language, texts.bar.missingField)),
    ...save.errors,
  }
  const isPublic = event !== undefined && !isDraft(event.status)
  const isSeries = event?.series != null
  const areTextsChanged = unsaved.some((name) => textFields.some((field) => name.startsWith(field)))

  // A refused save leads to the first field with an error, in its language.
  const showFirstError = useEffectEvent(() => {
    const other = contentLanguages.find((each) => each !== language && hasError(errors, each))
    if (other && !hasError(errors, language)) setLanguage(other)
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')?.focus(),
    )
  })
  useEffect(() => {
    if (failures > 0) showFirstError()
  }, [failures])

  async function send(options: SaveOptions) {
    setAsked(undefined)
    const isSaved = await form.saveNow({ ...options, ...(isMinor && areTextsChanged && { isMinor }) })
    if (!isSaved) return setFailures((before) => before + 1)
    setMinor(false)
    setMissingShown(false)
    const { status } = options
    if (!status) toast({ text: texts.bar.changed })
    else if (status === 'PUBLISHED') toast({ text: values.publishedAt ? texts.bar.scheduled : texts.bar.published })
    else toast({ text: status === 'PENDING' ? texts.bar.submitted : texts.bar.drafted })
  }

  function start(status?: RecordStatus) {
    if (isUploading) return proceedLater(status)
    const publishes = status === 'PUBLISHED' || status === 'PENDING'
    if (publishes && missing.length > 0) {
      setMissingShown(true)
      return setFailures((before) => before + 1)
    }
    const options = { ...(status && { status }) }
    // Drafts, which visitors do not see, and a series that becomes a single event need no question.
    if (isSeries && isPublic && !status && unsaved.length > 0 && values.dates.kind !== 'once') setAsked(options)
    else void send(options)
  }

  const title = titledLanguages(values).includes(language) ? values[`title.${language}`] : (event?.title ?? '')
  const section = { values, errors, isDisabled, onChange: change }
  return (
    <Screen
      title={title || (event ? texts.untitled : texts.newTitle)}
      actions={
        // A new event reserves the space of this line, so that the layout does not shift when the draft saves itself.
        <>
          <StateBadge status={event?.status ?? 'DRAFT'} eventStatus={event?.eventStatus ?? 'SCHEDULED'} />
          {event ? (
            <Link href={`/events/${event.databaseId}/history`}>{history.link}</Link>
          ) : (
            <span className="reserved">{history.link}</span>
          )}
        </>
      }
    >
      <form
        ref={element}
        className="event-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault()
          start()
        }}
      >
        {event && isDisabled && <p className="notice">{texts.noRight}</p>}
        {event?.reviewMessage && (
          <div className="notice">
            <p>{texts.returned}</p>
            <p className="review-message">{event.reviewMessage}</p>
          </div>
        )}
        {form.isRestored && form.isUnsaved && (
          <div className="notice" role="status">
            <p>{texts.restored}</p>
            <Button onClick={form.discard}>{texts.discard}</Button>
          </div>
        )}
        {form.isPasswordLost && (
          <p className="notice" role="status">
            {texts.passwordLost}
          </p>
        )}
        <div role="status">
          {others.length > 0 && <p className="notice">{texts.conflict.present(others.join(', '))}</p>}
        </div>
        {met.theirs.length > 0 && (
          <p className="notice" role="status">
            {texts.conflict.taken(met.theirs.map(nameField).join(', '))}
          </p>
        )}
        {met.conflicts.length > 0 && met.isPostponed && (
          <div className="notice" role="status">
            <p>{texts.conflict.title}</p>
            <Button onClick={() => form.postpone(false)}>{texts.conflict.choose}</Button>
          </div>
        )}
        <div className="part">
          <LanguageSwitch values={values} language={language} onLanguage={setLanguage} />
          <TitleField {...section} language={language} />
        </div>
        {isSeries && isPublic && <DateActions event={event} isDisabled={isDisabled} onChanged={() => form.reload()} />}
        <Section title={isSeries && isPublic ? texts.dates.schedule : texts.dates.section}>
          {isSeries && isPublic && <p className="help">{texts.dates.scheduleHelp}</p>}
          <DatesFields
            {...section}
            canBeSingle={!isPublic || !hasOtherDates(event)}
            onlyDate={isSeries && !hasOtherDates(event) ? readSpan(event, event.allDay ?? false) : undefined}
          />
        </Section>
        <PlaceSection {...section} />
        <TextSection {...section} language={language} />
        <PictureSection {...section} onUpload={onUpload} />
        <PriceSection {...section} />
        <TermsSection {...section} />
        <PublicationSection {...section} hasPassword={event?.hasPassword ?? false} />
        {!isDisabled && (
          <SaveBar
            form={form}
            missing={missing}
            canBeMinor={areTextsChanged && titledLanguages(values).length > 1}
            isMinor={isMinor}
            onMinor={setMinor}
            onSave={start}
          />
        )}
      </form>
      {asked && event && (
        <AskScope
          event={event}
          isScheduleChanged={unsaved.includes('dates')}
          isStateOnly={unsaved.every((name) => stateFields.includes(name))}
          title={title}
          onClose={() => setAsked(undefined)}
          onChoose={(scope) => send({ ...asked, scope })}
        />
      )}
      <ConflictDialog form={form} />
    </Screen>
  )
}

/** Fields that a date of a series can have of its own. */
const stateFields: readonly FieldName[] = ['eventStatus', 'attendanceMode', 'onlineUrl', 'hideFromListings']

interface AskProps {
  readonly event: FormEventFragment
  readonly title: string
  readonly isScheduleChanged: boolean
  readonly isStateOnly: boolean
  readonly onClose: () => void
  readonly onChoose: (scope: Scope) => void
}

function AskScope({ event, title, isScheduleChanged, isStateOnly, onClose, onChoose }: AskProps) {
  const { scope: texts } = useEventMessages()
  const when = formatSpan(event.startsLocal, event.endsLocal, event.allDay ?? false)
  return (
    <ScopeDialog
      title={title}
      when={isScheduleChanged ? texts.scheduleChanged : event.series?.words}
      help={{ ...texts, THIS: isStateOnly ? texts.thisState(when) : texts.THIS(when) }}
      {...(isScheduleChanged && { only: 'ALL' })}
      onClose={onClose}
      onChoose={onChoose}
    />
  )
}

/** The language of the interface, or the first one in which the event has a title. */
function firstLanguage(values: Parameters<typeof titledLanguages>[0]): LanguageCode {
  const titled = titledLanguages(values)
  return titled.length === 0 || titled.includes(contentLanguage) ? contentLanguage : (titled[0] ?? contentLanguage)
}

const hasError = (errors: FieldErrors, language: LanguageCode): boolean =>
  textFields.some((field) => errors[`${field}.${language}`] !== undefined)
