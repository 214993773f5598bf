import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatSpan } from '../../dates.ts'
import type { LanguageCode } from '../../gql/graphql.ts'
import { languageName, useMessages } from '../../messages.ts'
import { tagOf } from '../../site.ts'
import { type EventMessages, useEventMessages } from './messages/messages.ts'
import { isComplete, toLocals } from './schedule.ts'
import type { EventForm } from './use-event-form.ts'
import { type FieldName, type TextField, textFields, type Values } from './values.ts'

/** Shows both versions of each field that two people changed, and lets the person choose. Closing it decides nothing. */
export function ConflictDialog({ form }: { readonly form: EventForm }) {
  const { conflict: texts } = useEventMessages()
  const nameField = useFieldName()
  const show = useValueText()
  const [name] = form.met.conflicts
  if (name === undefined || form.met.isPostponed) return null
  const decide = (takesTheirs: boolean) => form.decide(name, takesTheirs)
  return (
    <Dialog title={texts.title} onClose={() => form.postpone(true)} key={name}>
      <p>{texts.text}</p>
      <h3>{nameField(name)}</h3>
      <div className="versions">
        <section aria-label={texts.mine}>
          <h4>{texts.mine}</h4>
          <p>{show(name, form.state.values) || texts.empty}</p>
          <Button onClick={() => decide(false)}>{texts.keepMine}</Button>
        </section>
        <section aria-label={texts.theirs}>
          <h4>{texts.theirs}</h4>
          <p>{show(name, form.state.server) || texts.empty}</p>
          <Button onClick={() => decide(true)}>{texts.takeTheirs}</Button>
        </section>
      </div>
    </Dialog>
  )
}

const isTextKey = (name: FieldName): name is `${TextField}.${LanguageCode}` =>
  textFields.some((field) => name.startsWith(`${field}.`))

/** The name of a field in the language of the interface. */
export function useFieldName(): (name: FieldName) => string {
  const messages = useEventMessages()
  return (name) => {
    if (!isTextKey(name)) return otherName(name, messages)
    const [field = 'title', language = 'EN'] = name.split('.') as [TextField, LanguageCode]
    return messages.texts.inLanguage(messages.texts[field], languageName(tagOf(language)))
  }
}

function otherName(name: Exclude<FieldName, `${TextField}.${LanguageCode}`>, messages: EventMessages): string {
  const { dates, place, picture, price, terms, publication } = messages
  const names = {
    dates: dates.section,
    venues: place.venues,
    attendanceMode: place.mode,
    onlineUrl: place.onlineUrl,
    organizers: place.organizers,
    image: picture.section,
    cost: price.section,
    tickets: price.tickets,
    website: price.website,
    categories: terms.categories,
    tags: terms.tags,
    eventStatus: publication.eventStatus,
    publishedAt: publication.publishedAt,
    password: publication.password,
    hideFromListings: publication.hide,
    featured: publication.featured,
  }
  return names[name]
}

/** A value in words. */
function useValueText(): (name: FieldName, values: Values) => string {
  const { attendanceModes, eventStatus } = useMessages()
  const { dates: dateTexts, price, publication } = useEventMessages()
  const names = (records: readonly { readonly name: string }[]) => records.map(({ name }) => name).join(', ')
  return (name, values) => {
    if (isTextKey(name)) return new DOMParser().parseFromString(values[name], 'text/html').body.textContent ?? ''
    switch (name) {
      case 'dates': {
        const { dates } = values
        if (!isComplete(dates)) return ''
        const { startsLocal, endsLocal } = toLocals(dates.first, dates.allDay)
        const first = formatSpan(startsLocal, endsLocal, dates.allDay)
        return dates.kind === 'once' || dates.kind === 'rules' ? first : `${dateTexts.kinds[dates.kind]}: ${first}`
      }
      case 'venues':
      case 'organizers':
      case 'categories':
      case 'tags':
      case 'tickets':
        return names(values[name])
      case 'attendanceMode':
        return attendanceModes[values.attendanceMode]
      case 'image':
        return values.image ? [values.image.title, values.image.altText].filter(Boolean).join(': ') : ''
      case 'cost':
        return values.cost === 'free' ? price.kinds.free : values.cost.join(', ')
      case 'eventStatus':
        return eventStatus[values.eventStatus]
      case 'hideFromListings':
        return values.hideFromListings ? publication.hide : ''
      case 'featured':
        return values.featured ? publication.featured : ''
      default:
        return values[name] ?? ''
    }
  }
}
