import { useQuery } from 'urql'
import { formatSpan } from '../../dates.ts'
import { type ScheduleInput, SchedulePreviewDocument } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'

/** The dates of a series: the first one, how it repeats, and what differs from that. */
export function ScheduleText({ schedule }: { readonly schedule: ScheduleInput }) {
  const { history: texts } = useMessages()
  const [{ data }] = useQuery({ query: SchedulePreviewDocument, variables: { schedule, first: 1 } })
  const extra = (schedule.extraDates ?? []).map(({ startsLocal, endsLocal }) =>
    formatSpan(startsLocal, endsLocal ?? startsLocal, false),
  )
  const excluded = (schedule.excludedDates ?? []).map((date) => {
    const isDay = !date.includes('T')
    const local = isDay ? `${date}T00:00:00` : date
    return formatSpan(local, local, isDay)
  })
  return [
    ...schedule.recurrences.map(({ startsLocal, endsLocal }) => formatSpan(startsLocal, endsLocal, false)),
    data?.previewSchedule?.words,
    extra.length > 0 && texts.alsoOn(extra.join(', ')),
    excluded.length > 0 && texts.notOn(excluded.join(', ')),
  ]
    .filter(Boolean)
    .join(' · ')
}
