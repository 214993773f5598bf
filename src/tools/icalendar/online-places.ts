// Splits the text of a LOCATION into a place, the URL of an online meeting, and the access data of the meeting.

interface Place {
  /** The text without URLs and access data; empty if the event is only online. */
  readonly place: string
  /** The URL of the online meeting. */
  readonly onlineUrl?: string | undefined
  /** The URL of the place. */
  readonly website?: string | undefined
  /** Access data of the online meeting, such as `Meeting ID: 123 456`; usually empty. */
  readonly access: string
}

/** Maximum number of characters of a text that is searched for URLs. */
const maxLength = 4000

/** Reads the text of a LOCATION, which may contain URLs. */
export function readPlace(location: string): Place {
  const whole = toWebUrl(location)
  if (whole !== undefined) return { place: '', onlineUrl: whole, access: '' }
  if (location.length > maxLength) return { place: location, access: '' }
  const found = [...location.matchAll(address)].flatMap(([url]) => toWebUrl(url) ?? [])
  const text = location.replace(address, ' ')
  const entries = [...text.matchAll(accessEntry)].map(([entry]) => entry.trim())
  const isMeeting = found.length > 0 || entries.some((entry) => /\bid\b/i.test(entry))
  if (!isMeeting) return { place: location, access: '' }
  const rest = text.replace(accessEntry, ' ')
  const place = onlineWords.test(rest) ? '' : withoutEdges(rest)
  const onlineUrl = found.find(isOfMeeting) ?? (place === '' ? found[0] : undefined)
  return { place, onlineUrl, website: found.find((url) => url !== onlineUrl), access: entries.join(', ') }
}

const address = /<?(?:https?:\/\/|\bwww\.)[^\s<>"]*[^\s<>"'().,;:!?]>?/gi

/** Returns an http or https URL without user name and password, with `https://` added if the scheme is missing. */
export function toWebUrl(text: string | undefined): string | undefined {
  if (text !== undefined && text.length > maxLength) return undefined
  const plain = text?.trim().replace(/^[<"']+|[>"']+$/g, '') ?? ''
  const url = /^www\.[^\s/@]+\.[a-z]{2,}(?:[:/?#]\S*)?$/i.test(plain) ? `https://${plain}` : plain
  const scheme = isMeetingPath.test(url) ? `https://${url}` : url
  return /^https?:\/\/\S+$/i.test(scheme) && URL.canParse(scheme) ? scheme.replace(credentials, '$1') : undefined
}

/** The scheme (as group 1), and the user name and password of a URL. */
const credentials = /^(https?:\/\/)[^/?#@]*(?:@[^/?#@]*)*@/i

export const hasCredentials = (text: string): boolean => credentials.test(text.trim())

const services =
  `(?:zoom\\.us|zoomgov\\.com|meet\\.google\\.com|teams\\.microsoft\\.com|teams\\.live\\.com|webex\\.com|whereby\\.com|
  gotomeeting\\.com|goto\\.com|gotowebinar\\.com|meet\\.jit\\.si|bluejeans\\.com|skype\\.com|discord\\.gg|discord\\.com|youtube\\.com|
  youtu\\.be|twitch\\.tv|vimeo\\.com)`.replace(/\s/g, '')

const isMeetingPath = new RegExp(`^(?:[\\w-]+\\.)*${services}/\\S+$`, 'i')
const meetingHost = new RegExp(`(?:^|\\.)${services}$|^(?:bbb|conf|jitsi|live|meet|stream|visio|webinar)\\.`, 'i')

const isOfMeeting = (url: string) => meetingHost.test(new URL(url).hostname)

const accessLabel =
  `(?:(?:meeting|webinar|besprechungs|sitzungs)[ -]?(?:id|number|nr\\.?)|id (?:de )?(?:la )?(?:r[ée]union|reuni[óo]n)|
  passcode|password|passwort|kenncode|kennwort|pwd|pin|code secret|code d['’]acc[èe]s|mot de passe|contrase[ñn]a|
  c[óo]digo de acceso)`.replace(/\n\s*/g, '')

/** Access data in a text: a label such as `PIN` with its value, which may be a number with spaces. */
const accessEntry = new RegExp(`\\b${accessLabel}\\s*[:=#]\\s*(?:\\d[\\d -]*\\d\\b|[^\\s,;()|]+)`, 'gi')

const onlineWords =
  /^(?:[\s\p{P}|+]|(?<!\p{L})(?:online|virtual|virtuell|en|ligne|línea|zoom|google|meet|microsoft|teams|webex|jitsi|skype|discord|youtube|twitch|live|livestream|stream|video|videoconference|conference|call|visio|visioconférence|webinar|meeting|event|room|join|link|lien|via|on|at|per|über|par|sur|the|and|or)(?!\p{L}))*$/iu

const withoutEdges = (text: string) =>
  text
    .replace(/\(\s*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .replace(/(?:\s*[,;|/])+(?=\s*[,;|/])/g, '')
    .replace(/^[\s,;:|/–-]+|[\s,;:|/–(-]+$/g, '')
