// The mutations `createEventSeries` and `updateEventSeries`.
import { builder } from '../../service/graphql/builder.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { runMutation } from '../lifecycle/mutation.ts'
import { Payload, type WriteResult } from '../lifecycle/payload.ts'
import { requireRecordId } from '../rules/identify.ts'
import { findSeries } from './find-series.ts'
import { requireValidSize } from './preview.ts'
import { EventSeries } from './type.ts'
import { CreateEventSeriesInput, createSeries, UpdateEventSeriesInput, updateSeries } from './write.ts'

const EventSeriesPayload = builder.objectRef<WriteResult>('EventSeriesPayload').implement({
  description: 'Result of writing a series.',
  interfaces: [Payload],
  fields: (t) => ({
    series: t.field({
      type: EventSeries,
      nullable: true,
      description: 'The series as stored; null if nothing was written.',
      resolve: async ({ id }, _args, context, info) => {
        if (id === null) return null
        return ((await findSeries(context, buildSelection(context, info), [id])).get(id) ?? null) as never
      },
    }),
  }),
})

builder.mutationFields((t) => ({
  createEventSeries: t.field({
    type: EventSeriesPayload,
    description:
      'Creates a series with its dates, each of them an event, with text in the language of the operation. Dates of a rule without an end are computed for 24 months ahead, or as long as the site sets; those after the first 1000 are added within a minute.',
    args: { input: t.arg({ type: CreateEventSeriesInput, required: true, description: 'The new series.' }) },
    resolve: (_root, { input }, context) =>
      runMutation(context, input, (tx, checked) => createSeries(tx, checked, context)),
  }),
  updateEventSeries: t.field({
    type: EventSeriesPayload,
    description:
      'Updates a series. Fields that the input omits stay unchanged. Text is written in the language of the operation.',
    args: { input: t.arg({ type: UpdateEventSeriesInput, required: true, description: 'Changes to the series.' }) },
    resolve: (_root, { input }, context) =>
      runMutation(context, input, async (tx, { id: text, ...checked }) => {
        const id = requireRecordId('series', text)
        if (checked.schedule) requireValidSize(checked.schedule)
        await updateSeries(tx, id, checked, context)
        return id
      }),
  }),
}))
