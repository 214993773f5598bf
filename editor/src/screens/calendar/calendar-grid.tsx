import {
  type Calendar,
  createCalendar,
  DayGrid,
  destroyCalendar,
  Interaction,
  List,
  TimeGrid,
} from '@event-calendar/core'
import '@event-calendar/core/index.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { EventRowFragment } from '../../gql/graphql.ts'
import { interfaceLanguage, useMessages } from '../../messages.ts'
import { basePath } from '../../site.ts'
import { dayOf, endOfDays, shift } from './local-times.ts'
import './calendar.css'

export const views = ['month', 'week', 'list'] as const
export type View = (typeof views)[number]
const viewTypes = { month: 'dayGridMonth', week: 'timeGridWeek', list: 'listMonth' } as const satisfies Record<
  View,
  string
>

export interface ShownDates {
  readonly title: string
  /** First and last day on the screen. */
  readonly from: string
  readonly to: string
  /** A day before and after these dates. */
  readonly previous: string
  readonly next: string
}

/** An event that was dragged to another time. */
export interface Move {
  readonly row: EventRowFragment
  readonly startsLocal: string
  readonly endsLocal: string
  readonly revert: () => void
}

interface Props {
  readonly view: View
  /** The day that is on the screen; empty for today. */
  readonly date: string
  readonly rows: readonly EventRowFragment[]
  readonly onShow: (dates: ShownDates) => void
  readonly onOpen: (row: EventRowFragment) => void
  readonly onMove: (move: Move) => void
}

/** Whether the event belongs into the row of whole days: an exhibition would cover everything else. */
const lastsDays = ({ allDay, startsLocal, endsLocal }: EventRowFragment): boolean =>
  (allDay ?? false) || Date.parse(`${endsLocal}Z`) - Date.parse(`${startsLocal}Z`) >= 86_400_000

/** Events in a grid of days or hours, where they can be dragged. */
export function CalendarGrid({ view, date, rows, onShow, onOpen, onMove }: Props) {
  const { calendar: texts, recordStatus, eventStatus } = useMessages()
  const element = useRef<HTMLDivElement>(null)
  const calendar = useRef<Calendar>(null)

  const toEvent = (row: EventRowFragment): Calendar.EventInput => {
    const notes = [
      row.status === 'PUBLISHED' ? undefined : recordStatus[row.status as keyof typeof recordStatus],
      row.eventStatus === 'SCHEDULED' ? undefined : eventStatus[row.eventStatus],
    ].filter(Boolean)
    return {
      id: row.id,
      title: notes.length > 0 ? `${row.title} (${notes.join(', ')})` : row.title,
      start: row.startsLocal,
      end: lastsDays(row) ? endOfDays(row.endsLocal) : row.endsLocal,
      allDay: lastsDays(row),
      editable: row.viewerCanUpdate,
      classNames: row.status === 'PUBLISHED' && row.eventStatus === 'SCHEDULED' ? [] : ['unusual'],
      extendedProps: { row },
    }
  }
  const rowOf = ({ extendedProps }: Calendar.Event) => extendedProps.row as EventRowFragment

  const opened = useEffectEvent(onOpen)
  const link = (row: EventRowFragment, title: string, time: string) => {
    const anchor = document.createElement('a')
    anchor.href = `${basePath}/edit/events/${row.databaseId}`
    // Otherwise the browser would drag the address.
    anchor.draggable = false
    anchor.append(time, ' ', Object.assign(document.createElement('b'), { textContent: title }))
    anchor.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      opened(row)
    })
    return anchor
  }
  const moved = useEffectEvent((info: Calendar.EventDropInfo) => {
    const { event, oldEvent, revert } = info
    const row = rowOf(event)
    // Into or out of the row of whole days: the form does that, because it asks for the times.
    if (event.allDay !== oldEvent.allDay) return revert()
    onMove({
      row,
      startsLocal: shift(row.startsLocal, oldEvent.start, event.start),
      endsLocal: shift(row.endsLocal, oldEvent.start, event.start),
      revert,
    })
  })
  const resized = useEffectEvent(({ event, oldEvent, revert }: Calendar.EventResizeInfo) => {
    const row = rowOf(event)
    onMove({ row, startsLocal: row.startsLocal, endsLocal: shift(row.endsLocal, oldEvent.end, event.end), revert })
  })
  const showed = useEffectEvent(({ start, end, view: { title, currentStart, currentEnd } }: Calendar.DatesSetInfo) => {
    const dayBefore = (day: Date) => dayOf(new Date(day.getTime() - 1))
    onShow({
      title,
      from: dayOf(start),
      to: dayBefore(end),
      previous: dayBefore(currentStart),
      next: dayOf(currentEnd),
    })
  })

  /** Starts with what is on the screen; the following effects update it. */
  const create = useEffectEvent((parent: HTMLElement) =>
    createCalendar(parent, [DayGrid, TimeGrid, List, Interaction], {
      view: viewTypes[view],
      ...(date && { date }),
      headerToolbar: { start: '', center: '', end: '' },
      locale: interfaceLanguage === 'en' ? 'en-GB' : interfaceLanguage,
      // Local times, whatever the time zone.
      timeZone: 'UTC',
      firstDay: 1,
      dayMaxEvents: true,
      editable: true,
      scrollTime: '08:00:00',
      views: { timeGridWeek: { height: '40rem' } },
      eventTimeFormat: { hour: '2-digit', minute: '2-digit' },
      noEventsContent: texts.none,
      moreLinkContent: ({ num }) => texts.more(num),
      buttonText: (labels) => ({ ...labels, close: texts.close }),
      allDayContent: texts.allDay,
      eventContent: ({ event, timeText }) => ({
        domNodes: [link(rowOf(event), String(event.title), event.allDay ? '' : timeText)],
      }),
      eventDrop: (info) => moved(info),
      eventResize: (info) => resized(info),
      datesSet: (info) => showed(info),
    }),
  )
  const showRows = useEffectEvent((shown: typeof rows) => calendar.current?.setOption('events', shown.map(toEvent)))

  useEffect(() => {
    if (!element.current) return
    const created = create(element.current)
    calendar.current = created
    const observer = new MutationObserver(() => repairRoles(element.current))
    observer.observe(element.current, { childList: true, subtree: true })
    repairRoles(element.current)
    return () => {
      observer.disconnect()
      void destroyCalendar(created)
    }
  }, [])
  useEffect(() => void calendar.current?.setOption('view', viewTypes[view]), [view])
  // A text: the library reads a `Date` by the time zone of the browser, in which midnight of UTC may be the day before.
  useEffect(() => void calendar.current?.setOption('date', date || new Date()), [date])
  useEffect(() => void showRows(rows), [rows])

  return <div ref={element} className={`calendar ec-auto-dark ${view}`} />
}

/**
 * The library gives its elements roles of tables and lists without the rows and items that belong to them. Without these
 * roles, screen readers read the days and the links of their events in order.
 */
function repairRoles(element: HTMLElement | null): void {
  const misused = ['table', 'rowgroup', 'row', 'cell', 'columnheader', 'list', 'listitem']
  for (const child of element?.querySelectorAll(misused.map((role) => `[role="${role}"]`).join()) ?? [])
    for (const name of ['role', 'aria-colindex', 'aria-colspan']) child.removeAttribute(name)
  // Below the heading of the month, which has level 2.
  for (const heading of element?.querySelectorAll('h4:not([role])') ?? []) {
    heading.setAttribute('role', 'heading')
    heading.setAttribute('aria-level', '3')
  }
}
