// The fields of the forms for proposals, as HTML and as input of the mutations.

import { html } from 'ghtml'
import { fillPlaceholders } from '../../../basics/fill-placeholders.ts'
import { isLocalDateTime } from '../../../service/graphql/scalars.ts'
import { FormProblem, type FormRequest } from '../account/form-page.ts'

/** Maximum length of each single-line field, in characters; 0 for times. */
const maxLengths = {
  ...{ title: 200, startsLocal: 0, endsLocal: 0, venueName: 200, address: 200, city: 100 },
  ...{ organizerName: 200, website: 500, cost: 100 },
}

const maxLengthsOfOthers = { description: 5000, message: 2000, contactName: 100, contactEmail: 254 }

type Line = keyof typeof maxLengths
const lineNames = Object.keys(maxLengths) as Line[]

export type ProposedValues = { readonly [field in Line | 'description' | 'message']?: string | null }

const labelOf = (name: string, { messages }: FormRequest): string => {
  const labels: Readonly<Record<string, string>> = messages.proposals.fields
  return labels[name] ?? name
}

/** Returns the attributes of an invalid field and a help text that says what is valid. The first invalid field gets the focus. */
function wrongHtml(name: string, { wrongFields = [], messages }: FormRequest) {
  if (!wrongFields.includes(name)) return { attributes: '', help: '' }
  const { right } = messages.proposals
  const text = Object.hasOwn(right, name) ? right[name as keyof typeof right] : right.others
  const max = { ...maxLengths, ...maxLengthsOfOthers }[name as Line] ?? ''
  const focus = wrongFields[0] === name ? ' autofocus' : ''
  return {
    attributes: html` aria-invalid="true" aria-describedby="${name}-right"!${focus}`,
    help: html`<small id="${name}-right">${fillPlaceholders(text, { max })}</small>`,
  }
}

/** Returns the fields with the values that were sent, or else these. */
export function fieldsHtml(form: FormRequest, values: ProposedValues, required: readonly string[]): string {
  const { field, request, messages } = form
  const shownValue = (name: keyof ProposedValues) => (request.method === 'POST' ? field(name) : (values[name] ?? ''))
  const label = (name: string) =>
    html`${labelOf(name, form)}!${required.includes(name) ? '' : html` <small>(${messages.proposals.optional})</small>`}`
  const line = (name: Line) => {
    const isTime = maxLengths[name] === 0
    // The end of an all-day event has seconds. Without them, an unchanged form would propose another time.
    const time = shownValue(name).replace(/(T\d\d:\d\d):00$/, '$1')
    const attributes = isTime
      ? html`type="datetime-local" value="${time}"!${/:\d\d:/.test(time) ? ' step="1"' : ''}`
      : html`value="${shownValue(name)}" maxlength="${maxLengths[name]}"`
    const wrong = wrongHtml(name, form)
    return html`<label><span>!${label(name)}</span> <input name="${name}"!${name === 'website' ? ' inputmode="url"' : ''} !${attributes}!${required.includes(name) ? ' required' : ''}!${wrong.attributes}></label>!${wrong.help}`
  }
  const text = (name: 'description' | 'message') => {
    const wrong = wrongHtml(name, form)
    return html`<label><span>!${label(name)}</span> <textarea name="${name}" rows="5" maxlength="${maxLengthsOfOthers[name]}"!${wrong.attributes}>${shownValue(name)}</textarea></label>!${wrong.help}`
  }
  return html`!${lineNames.slice(0, 6).map(line)}!${text('description')}!${lineNames.slice(6).map(line)}!${text('message')}`
}

/** Returns the fields about the sender, and the one that people do not see. */
export function senderHtml(form: FormRequest): string {
  const { field, messages, settings } = form
  const { proposals } = messages
  const [name, email] = [wrongHtml('contactName', form), wrongHtml('contactEmail', form)]
  return html`<fieldset><legend>${proposals.you}</legend>
<label>${proposals.fields.contactName} <input name="contactName" value="${field('contactName')}" autocomplete="name" maxlength="${maxLengthsOfOthers.contactName}"!${name.attributes}></label>!${name.help}
<label>${proposals.fields.contactEmail} <input name="contactEmail" type="email" value="${field('contactEmail')}" autocomplete="email" maxlength="${maxLengthsOfOthers.contactEmail}"!${email.attributes}></label>!${email.help}
<small>${fillPlaceholders(proposals.privacy, { days: settings.proposalContactDays })}</small></fieldset>
<label class="trap" aria-hidden="true">${proposals.trap} <input name="homepage" tabindex="-1" autocomplete="off"></label>`
}

/** Returns the values of the form. Empty ones are left out: a message can say what to remove. Throws FormProblem for an invalid time. */
export function readFields(form: FormRequest, required: readonly string[]) {
  const { field } = form
  // GraphQL would refuse the whole operation, without the path of the field.
  const unreadable = ['startsLocal', 'endsLocal'].filter((name) =>
    field(name) === '' ? required.includes(name) : !isLocalDateTime(field(name)),
  )
  if (unreadable.length > 0) throw wrongFieldsProblem(unreadable, form)
  const values = [...lineNames, 'description' as const, 'message' as const].flatMap((name) => {
    const text = field(name)
    return text === '' ? [] : [[name, complete(name, text)] as const]
  })
  return Object.fromEntries(values) as { [name in keyof ProposedValues]?: string }
}

/** Creates the problem that names the fields with wrong values, in the order of the form. */
export function wrongFieldsProblem(names: readonly string[], form: FormRequest): FormProblem {
  const order = Object.keys(form.messages.proposals.fields)
  const wrong = [...new Set(names)].sort((one, other) => order.indexOf(one) - order.indexOf(other))
  const fields = wrong.map((name) => labelOf(name, form)).join(', ')
  return new FormProblem(fillPlaceholders(form.messages.proposals.invalid, { fields }), wrong)
}

/** Adds what people and browsers leave out: the scheme of a website, and the seconds of a time. */
function complete(name: string, text: string): string {
  if (name === 'website') return text.replace(/^[^\s/:@]+\.\w{2,}(?=[/?#]|$)/, 'https://$&')
  return name.endsWith('Local') && /T\d\d:\d\d$/.test(text) ? `${text}:00` : text
}
