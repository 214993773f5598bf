// The pages on which visitors propose events and corrections, and see what becomes of them. They work without scripts.

import { html } from 'ghtml'
import { DomainError } from '../../../basics/errors.ts'
import {
  PageChallengeDocument,
  PageCorrectedEventDocument,
  PageProposalDocument,
  type PageProposalOutcomeFragment,
  PageProposeChangeDocument,
  PageProposeEventDocument,
  PageSimilarEventsDocument,
  PageUpdateProposalDocument,
} from '../../../generated/graphql/graphql.ts'
import { type FormPage, FormProblem, type FormRequest, localPath } from '../account/form-page.ts'
import { eventCardsHtml } from '../components.ts'
import { fieldsHtml, type ProposedValues, readFields, senderHtml, wrongFieldsProblem } from './fields.ts'

const required = ['title', 'startsLocal', 'venueName']

export const proposePage: FormPage = {
  path: '/propose',
  keeps: ['event'],
  script: 'propose',
  title: ({ field, messages }) => messages.proposals[field('event') === '' ? 'proposeEvent' : 'proposeChange'],
  async body(form) {
    const { field, execute, messages } = form
    const event = field('event')
    const values = event === '' ? {} : await readEvent(event, form)
    const context = await form.createContext()
    const { createProposalChallenge } = await execute(PageChallengeDocument, {}, context)
    const challenge = JSON.stringify(createProposalChallenge?.challenge)
    const similar = form.request.method === 'POST' ? await similarHtml(form) : ''
    const proof = Buffer.from(`{"challenge":${challenge}}`).toString('base64')
    return html`<p class="lead">${messages.proposals[event === '' ? 'intro' : 'introChange']}</p>
!${similar}
<form class="propose" method="post" action="${localPath('/propose', form)}" data-challenge="${challenge}">
!${fieldsHtml(form, values, event === '' ? required : [])}
!${senderHtml(form)}
<input type="hidden" name="event" value="${event}">
<input type="hidden" name="confirmed" value="${similar === '' ? '' : field('title')}">
<input type="hidden" name="proof" value="${proof}">
<button>${messages.proposals.send}</button>
</form>`
  },
  async submit(form) {
    const { field, execute, messages } = form
    const eventId = field('event')
    if (eventId === '' && field('confirmed') !== field('title') && (await findSimilar(form)).length > 0)
      throw new FormProblem(messages.proposals.similarProblem)
    const sender = {
      ...{ contactName: field('contactName'), contactEmail: field('contactEmail'), homepage: field('homepage') },
      proof: field('proof'),
    }
    const values = readFields(form, eventId === '' ? required : [])
    const context = await form.createContext()
    const { outcome } = await explained(form, () =>
      eventId === ''
        ? execute(
            PageProposeEventDocument,
            { input: { title: '', startsLocal: '', venueName: '', ...values, ...sender } },
            context,
          )
        : execute(PageProposeChangeDocument, { input: { eventId, ...values, ...sender } }, context),
    )
    return requireSuccess(outcome, form)?.editUrl ?? ''
  },
}

export const ownProposalPage: FormPage = {
  path: '/propose/sent',
  title: ({ messages }) => messages.proposals.own,
  async body(form) {
    const { field, execute, messages } = form
    const { proposals } = messages
    const { proposal } = await execute(PageProposalDocument, { token: field('token') }, await form.createContext())
    if (!proposal) return html`<p>${proposals.unknown}</p>`
    const { state, reply, event, proposed, message } = proposal
    const isOpen = state === 'PENDING' || state === 'ASKED'
    return html`<p role="status">!${field('saved') === '' ? '' : html`${proposals.saved} `}${proposals.states[state]}</p>
!${isOpen ? html`<p class="note">${proposals.keep}</p>` : ''}
!${reply === '' ? '' : html`<h2>${proposals.reply}</h2><p class="reply">${reply}</p>`}
!${event ? html`<p><a href="${event.url}">${event.title}</a></p>` : ''}
!${
      isOpen
        ? html`<form class="propose" method="post" action="${localPath('/propose/sent', form)}">
!${fieldsHtml(form, { ...proposed, message }, [])}
<input type="hidden" name="token" value="${field('token')}">
<button>${proposals.save}</button>
</form>`
        : ''
    }`
  },
  async submit(form) {
    const token = form.field('token')
    const input = { token, ...readFields(form, []) }
    const context = await form.createContext()
    const { outcome } = await explained(form, () => form.execute(PageUpdateProposalDocument, { input }, context))
    requireSuccess(outcome, form)
    return `${localPath('/propose/sent', form)}?${new URLSearchParams({ token, saved: '1' })}`
  },
}

/** Says in words of the page what the service refuses. */
async function explained<Result>(form: FormRequest, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof DomainError && error.code === 'TOO_MANY_REQUESTS')
      throw new FormProblem(form.messages.proposals.limit)
    throw error
  }
}

function requireSuccess(outcome: PageProposalOutcomeFragment | null, form: FormRequest) {
  const { proposals } = form.messages
  const errors = outcome?.userErrors ?? []
  if (errors.length === 0) return outcome
  const paths = errors.map(({ path }) => path[0] ?? '')
  if (paths.includes('proof')) throw new FormProblem(proposals.tooSoon)
  if (paths.every((path) => path === '')) throw new FormProblem(proposals.decided)
  if (paths[0] === 'message' && form.field('message') === '') throw new FormProblem(proposals.nothing)
  throw wrongFieldsProblem(paths, form)
}

async function findSimilar(form: FormRequest) {
  const { field, execute } = form
  const day = field('startsLocal').slice(0, 10)
  if (field('event') !== '' || field('title') === '' || !/^\d{4}-\d\d-\d\d$/.test(day)) return []
  const { similarEvents } = await execute(
    PageSimilarEventsDocument,
    { title: field('title'), day },
    await form.createContext(),
  )
  return similarEvents
}

async function similarHtml(form: FormRequest): Promise<string> {
  const events = await findSimilar(form)
  if (events.length === 0) return ''
  const context = await form.createContext()
  const pageRequest = { ...form, context, page: 1, search: undefined, password: undefined }
  return html`<section aria-labelledby="similar"><h2 id="similar">${form.messages.proposals.similar}</h2>
!${eventCardsHtml(events, pageRequest)}</section>`
}

async function readEvent(id: string, form: FormRequest): Promise<ProposedValues> {
  const { event } = await form.execute(PageCorrectedEventDocument, { id }, await form.createContext())
  if (!event) return {}
  const { title, startsLocal, endsLocal, website, costEntries, venues, organizers } = event
  return {
    ...{ title, startsLocal, endsLocal, website, cost: costEntries?.join(', ') ?? '' },
    ...{ venueName: venues[0]?.name ?? '', organizerName: organizers[0]?.name ?? '' },
  }
}
