// oEmbed 1.0: other sites turn the URL of an event page into a widget.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { isDay } from '../../basics/dates/whole-days.ts'
import type { Settings } from '../../basics/env.ts'
import { badInputError, DomainError, notFoundError } from '../../basics/errors.ts'
import { textElement } from '../../basics/xml.ts'
import { OEmbedEventDocument, type OEmbedEventQuery } from '../../generated/graphql/graphql.ts'
import type { Context, Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { handleVisitorRead } from '../../service/http/handle-read.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { sendTextError } from '../pages/discovery/error-response.ts'
import { eventStateText } from '../pages/event-state.ts'
import { messagesOf } from '../pages/messages.ts'
import type { PostIdOrSlug } from '../pages/post-page.ts'

const [defaultWidth, defaultHeight] = [600, 400]
/** How many seconds consumers of oEmbed may keep the response. */
const cacheAge = 3600

const formats = {
  json: { type: 'application/json; charset=utf-8', write: (response: Response) => JSON.stringify(response) },
  xml: { type: 'text/xml; charset=utf-8', write: toXml },
} as const

type Response = Readonly<Record<string, string | number>>
type Event = NonNullable<OEmbedEventQuery['event']>

interface Size {
  readonly width: number
  readonly height: number
}

export function registerOEmbedRoute(app: FastifyInstance, environment: Environment, execute: Execute): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof UnknownFormat)
        return reply.code(501).type('text/plain; charset=utf-8').send(`${error.message}\n`)
      return sendTextError(error, request, reply)
    })
    scope.get('/oembed', (request, reply) => {
      return handleVisitorRead(environment, request, reply, async (contextIn) => {
        const { url, format, ...limits } = readParams(request)
        const { language, ...target } = eventOf(url, environment.settings)
        const context = await contextIn(language)
        const { event } = await execute(OEmbedEventDocument, target, context)
        if (!event) throw notFoundError('event', 'id' in target ? 'id' : 'slug')
        if (event.locked)
          throw new DomainError('NOT_ACCESSIBLE', 'This event has a password. Link to its page instead.')
        const { type, write } = formats[format]
        // The widget of a series shows its next date, like the page.
        const series = 'slug' in target && target.day === undefined ? event.series : null
        const page = (series ?? event).url
        const body = Buffer.from(write(responseOf(event, page, limits, context)))
        return { headers: { 'content-type': type, 'content-language': language }, body }
      })
    })
  })
}

class UnknownFormat extends Error {}

function readParams(request: FastifyRequest) {
  const { url, format = 'json', maxwidth, maxheight } = queryOf(request)
  const problems: Record<string, string> = {}
  if (typeof url !== 'string' || url.length > 4000) problems.url = 'url must be the URL of an event page.'
  const read = (name: string, value: unknown) => {
    if (value === undefined) return Number.POSITIVE_INFINITY
    const isValid = typeof value === 'string' && /^[1-9]\d{0,5}$/.test(value)
    if (!isValid) problems[name] = `${name} must be a number of pixels.`
    return Number(value)
  }
  const limits = { width: read('maxwidth', maxwidth), height: read('maxheight', maxheight) }
  if (Object.keys(problems).length > 0) throw badInputError(problems)
  if (format !== 'json' && format !== 'xml') throw new UnknownFormat('Unknown format. Use json or xml.')
  return { ...limits, format, url: String(url) } as const
}

function eventOf(
  url: string,
  { publicUrl, pagesUrl, languages, defaultLanguage }: Settings,
): PostIdOrSlug & { language: string } {
  const parsed = URL.parse(url)
  const bases = [pagesUrl, publicUrl].map((base) => new URL(`${base}/`))
  // The scheme is not compared, because a page can be served by http and by https.
  const base = bases.find(({ host, pathname }) => parsed?.host === host && parsed.pathname.startsWith(pathname))
  if (!parsed || !base) throw unknownUrl()
  const segments = parsed.pathname.slice(base.pathname.length).split('/').filter(Boolean).map(decoded)
  const [first = ''] = segments
  const language = languages.includes(first) ? first : defaultLanguage
  const [kind, slug, day, dayNumber = '1', ...more] = languages.includes(first) ? segments.slice(1) : segments
  const id = parsed.searchParams.get('p')
  if (kind === undefined && id !== null) return { language, id }
  const isValid = (day === undefined || isDay(day)) && /^[1-9]\d{0,3}$/.test(dayNumber) && more.length === 0
  if (kind !== 'event' || slug === undefined || !isValid) throw unknownUrl()
  return { language, slug, ...(day !== undefined && { day, dayNumber: Number(dayNumber) }) }
}

const unknownUrl = () => new DomainError('NOT_FOUND', 'This is not the URL of an event page of this site.')

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw unknownUrl()
  }
}

function responseOf(event: Event, url: string, max: Size, { settings, language }: Context): Response {
  const { siteName, publicUrl, embedOrigins } = settings
  const [organizer] = event.organizers
  const path = /\/event\/([^?]+)\/$/.exec(url)?.[1]
  const common = {
    version: '1.0',
    title: event.title,
    provider_name: siteName,
    provider_url: `${publicUrl}/`,
    cache_age: cacheAge,
    ...(organizer && { author_name: organizer.name, author_url: organizer.url }),
    ...thumbnail(event, max),
  }
  if (path === undefined || embedOrigins === 'none') return { type: 'link', ...common }
  const [width, height] = [Math.min(defaultWidth, max.width), Math.min(defaultHeight, max.height)]
  const src = `${publicUrl}/${language}/embed/event/${path}`
  const title = eventStateText(event, { language, messages: messagesOf(language) }) + event.title
  return { type: 'rich', ...common, width, height, html: frame(src, title, { width, height }) }
}

/** Returns an iframe with a sandbox: the widget in it needs no script, and its links open new tabs. */
const frame = (src: string, title: string, { width, height }: Size) =>
  html`<iframe src="${src}" title="${title}" width="${width}" height="${height}" style="border:0;max-width:100%" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`

/** Returns a version of the image within `max`: the widest up to the width of the widget, or else the narrowest. */
function thumbnail({ image }: Event, max: Size): Response {
  const versions = image ? [image, ...image.sizes] : []
  const fitting = versions.flatMap(({ url, width, height }) =>
    width !== null && height !== null && width <= max.width && height <= max.height ? [{ url, width, height }] : [],
  )
  const byWidth = fitting.sort((a, b) => b.width - a.width)
  const best = byWidth.find(({ width }) => width <= defaultWidth) ?? byWidth.at(-1)
  return best ? { thumbnail_url: best.url, thumbnail_width: best.width, thumbnail_height: best.height } : {}
}

function toXml(response: Response): string {
  const elements = Object.entries(response).map(([name, value]) => textElement(name, value))
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${elements.join('')}</oembed>\n`
}
