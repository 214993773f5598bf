// Reads the organizers of a component.
import { webAddress } from './online-places.ts'
import { type Component, findProperties, findProperty, parameterOf, textOf } from './parse-components.ts'
import { readWebsite, something } from './read-links.ts'

export interface OrganizerContact {
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly website?: string | undefined
}

/** None for the placeholders that producers write instead of one. */
export function readOrganizers(component: Component, isOwn: boolean): OrganizerContact[] {
  const property = findProperty(component, 'organizer')
  const texts = findProperties(component, 'contact').map((contact) => textOf(contact) ?? '')
  const email = emailIn(textOf(property) ?? '') ?? emailIn(parameterOf(property, 'email') ?? '')
  const name = something(parameterOf(property, 'cn')).replace(/^mailto:/i, '')
  if (/^unknownorganizer@/i.test(email ?? '')) return []
  // Calendars of Google have addresses that nobody reads.
  const ownEmail = /@(?:[\w.]+\.)?calendar\.google\.com$/i.test(email ?? '') ? undefined : email
  const organizer = name || ownEmail
  const website = organizerWebsite(component)
  if (isOwn && organizer) {
    const [first, ...others] = ownContacts(organizer, ownEmail, texts)
    return first ? [{ ...first, website }, ...others] : []
  }
  const contact = something(texts[0])
  const contactName = contact.split(/[,;]\s/)[0]?.trim() ?? ''
  const found = organizer || contactName
  return found === '' ? [] : [{ name: found, email: ownEmail ?? emailIn(contact), phone: phoneIn(contact), website }]
}

/** An address on the site of the event is the page of the organizer there. */
function organizerWebsite(component: Component): string | undefined {
  const address = webAddress(textOf(findProperty(component, 'organizer')))
  const page = readWebsite(component)
  return address && new URL(address).origin !== (page && new URL(page).origin) ? address : undefined
}

/** This service writes a contact for each organizer with an e-mail address or a telephone number. */
function ownContacts(name: string, email: string | undefined, texts: readonly string[]): OrganizerContact[] {
  const contacts = texts.map((text) => {
    const parts = text.split(', ')
    const isOrganizer = text.startsWith(`${name}, `)
    const contactEmail = parts.length > 1 && parts.at(-1)?.includes('@') ? parts.pop() : undefined
    const phone = parts.length > 1 ? (isOrganizer ? parts.join(', ').slice(name.length + 2) : parts.pop()) : undefined
    return { isOrganizer, contact: { name: isOrganizer ? name : parts.join(', '), email: contactEmail, phone } }
  })
  const own = contacts.find(({ isOrganizer }) => isOrganizer)
  const others = contacts.flatMap((each) => (each === own ? [] : each.contact))
  return [{ name, email: email ?? own?.contact.email, phone: own?.contact.phone || undefined }, ...others]
}

/** No real address; RFC 2606 reserves the domain. */
const emailIn = (text: string): string | undefined => {
  const email = /[^\s<>:;,"'()]{1,64}@[\w.-]{1,190}\.[a-z]{2,}/i.exec(text)?.[0]
  return email && !/\.invalid$/i.test(email) ? email : undefined
}

const phoneIn = (text: string): string | undefined => /(?:\+|\b0)\d[\d\s()./-]{5,20}\d/.exec(text)?.[0]
