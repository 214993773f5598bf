// The fields of the forms for proposals, as HTML and as input of the mutations.

import { html } from 'ghtml'
import { fillPlaceholders } from '../../../basics/fill-placeholders.ts'
import type { FormRequest } from '../account/form-page.ts'

/** Maximum length of each single-line field, in characters; 0 for times. */
const maxLengths = {
  ...{ title: 200, startsLocal: 0, endsLocal: 0, venueName: 200, address: 200, city: 100 },
  ...{ organizerName: 200, website: 500, cost: 100 },
}

type Line = keyof typeof maxLengths
const lineNames = Object.keys(maxLengths) as Line[]

export type ProposedValues = { readonly [field in Line | 'description' | 'message']?: string | null }

const labelOf = (name: string, { messages }: FormRequest): string => {
  const labels: Readonly<Record<string, string>> = messages.proposals.fields
  return labels[name] ?? name
}

/** Returns the fields with the values that were sent, or else these. */
export function fieldsHtml(form: FormRequest, values: ProposedValues, required: readonly string[]): string {
  const { field, request, messages } = form
  const shownValue = (name: keyof ProposedValues) => (request.method === 'POST' ? field(name) : (values[name] ?? ''))
  const label = (name: string) =>
    html`${labelOf(name, form)}!${required.includes(name) ? '' : html` <small>(${messages.proposals.optional})</small>`}`
  const line = (name: Line) => {
    const isTime = maxLengths[name] === 0
    const attributes = isTime
      ? html`type="datetime-local" value="${shownValue(name).slice(0, 16)}"`
      : html`value="${shownValue(name)}" maxlength="${maxLengths[name]}"`
    return html`<label><span>!${label(name)}</span> <input name="${name}"!${name === 'website' ? ' inputmode="url"' : ''} !${attributes}!${required.includes(name) ? ' required' : ''}></label>`
  }
  const text = (name: 'description' | 'message', max: number) =>
    html`<label><span>!${label(name)}</span> <textarea name="${name}" rows="5" maxlength="${max}">${shownValue(name)}</textarea></label>`
  return html`!${lineNames.slice(0, 6).map(line)}!${text('description', 5000)}!${lineNames.slice(6).map(line)}!${text('message', 2000)}`
}

/** Returns the fields about the sender, and the one that people do not see. */
export function senderHtml({ field, messages, settings }: FormRequest): string {
  const { proposals } = messages
  return html`<fieldset><legend>${proposals.you}</legend>
<label>${proposals.fields.contactName} <input name="contactName" value="${field('contactName')}" autocomplete="name" maxlength="100"></label>
<label>${proposals.fields.contactEmail} <input name="contactEmail" type="email" value="${field('contactEmail')}" autocomplete="email" maxlength="254"></label>
<small>${fillPlaceholders(proposals.privacy, { days: settings.proposalContactDays })}</small></fieldset>
<label class="trap" aria-hidden="true">${proposals.trap} <input name="homepage" tabindex="-1" autocomplete="off"></label>`
}

/** Returns the values of the form. Empty ones are left out: a message can say what to remove. */
export function readFields({ field }: FormRequest) {
  const values = [...lineNames, 'description' as const, 'message' as const].flatMap((name) => {
    const text = field(name)
    return text === '' ? [] : [[name, complete(name, text)] as const]
  })
  return Object.fromEntries(values) as { [name in keyof ProposedValues]?: string }
}

/** Returns the labels of the fields with errors, for people. */
export const invalidFieldLabels = (
  errors: readonly { readonly path: readonly string[] }[],
  form: FormRequest,
): string => [...new Set(errors.map(({ path }) => labelOf(path[0] ?? '', form)))].join(', ')

/** Adds what people and browsers leave out: the scheme of a website, and the seconds of a time. */
function complete(name: string, text: string): string {
  if (name === 'website') return text.replace(/^[^\s/:@]+\.\w{2,}(?=[/?#]|$)/, 'https://$&')
  return name.endsWith('Local') && /T\d\d:\d\d$/.test(text) ? `${text}:00` : text
}
