import { Button } from '../../components/button.tsx'
import { RadioGroup, TextField } from '../../components/field.tsx'
import { useEventMessages } from './messages/messages.ts'
import { PartError, Section, type SectionProps } from './section.tsx'
import type { TicketValue } from './values.ts'

export function PriceSection({ values, errors, isDisabled, onChange }: SectionProps) {
  const messages = useEventMessages()
  const { price: texts } = messages
  const { cost } = values
  const kind = cost === 'free' ? 'free' : cost.length > 0 ? 'paid' : 'unknown'
  const entries = cost === 'free' ? [] : cost
  return (
    <Section title={texts.section}>
      <RadioGroup
        label={texts.label}
        look="switch"
        options={(['unknown', 'free', 'paid'] as const).map((value) => ({ value, label: texts.kinds[value] }))}
        value={kind}
        disabled={isDisabled}
        onChange={(value) => onChange({ cost: value === 'free' ? 'free' : value === 'paid' ? [''] : [] })}
      />
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: prices have nothing else that tells them apart.
        <div className="row" key={index}>
          <TextField
            label={texts.entry(index + 1)}
            help={index === 0 ? texts.entryHelp : undefined}
            value={entry}
            disabled={isDisabled}
            onChange={({ target }) => onChange({ cost: entries.with(index, target.value) })}
          />
          {entries.length > 1 && (
            <Button
              look="quiet"
              disabled={isDisabled}
              aria-label={messages.remove(texts.entry(index + 1))}
              onClick={() => onChange({ cost: entries.toSpliced(index, 1) })}
            >
              ✕
            </Button>
          )}
        </div>
      ))}
      {kind === 'paid' && (
        <div>
          <Button disabled={isDisabled} onClick={() => onChange({ cost: [...entries, ''] })}>
            {texts.addEntry}
          </Button>
        </div>
      )}
      <PartError error={errors.cost} />
      <TextField
        label={texts.website}
        name="website"
        type="url"
        placeholder="https://"
        value={values.website}
        error={errors.website}
        disabled={isDisabled}
        onChange={({ target }) => onChange({ website: target.value })}
      />
      <details open={errors.tickets !== undefined || undefined}>
        <summary>{texts.tickets}</summary>
        <Tickets tickets={values.tickets} isDisabled={isDisabled} onChange={(tickets) => onChange({ tickets })} />
        <PartError error={errors.tickets} />
      </details>
    </Section>
  )
}

interface TicketsProps {
  readonly tickets: readonly TicketValue[]
  readonly isDisabled: boolean
  readonly onChange: (tickets: readonly TicketValue[]) => void
}

const newTicket: TicketValue = {
  ...{ name: '', price: '', currency: 'EUR', capacity: null, salesStart: null, salesEnd: null },
}

function Tickets({ tickets, isDisabled, onChange }: TicketsProps) {
  const messages = useEventMessages()
  const { price: texts } = messages
  const change = (index: number, ticket: TicketValue, part: Partial<TicketValue>) =>
    onChange(tickets.with(index, { ...ticket, ...part }))
  return (
    <div className="stack">
      {tickets.map((ticket, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tickets have nothing else that tells them apart.
        <fieldset className="choices" key={index} disabled={isDisabled}>
          <legend>{texts.ticket(index + 1)}</legend>
          <div className="span">
            <TextField
              label={texts.ticketName}
              value={ticket.name}
              onChange={({ target }) => change(index, ticket, { name: target.value })}
            />
            <TextField
              label={texts.ticketPrice}
              inputMode="decimal"
              value={ticket.price}
              onChange={({ target }) => change(index, ticket, { price: target.value.replace(',', '.') })}
            />
            <TextField
              label={texts.currency}
              maxLength={3}
              value={ticket.currency}
              onChange={({ target }) => change(index, ticket, { currency: target.value.toUpperCase() })}
            />
            <TextField
              label={texts.capacity}
              type="number"
              min={0}
              value={ticket.capacity ?? ''}
              onChange={({ target }) =>
                change(index, ticket, { capacity: target.value === '' ? null : target.valueAsNumber })
              }
            />
            <Button
              look="quiet"
              aria-label={messages.remove(ticket.name || texts.ticket(index + 1))}
              onClick={() => onChange(tickets.toSpliced(index, 1))}
            >
              ✕
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          disabled={isDisabled}
          onClick={() =>
            onChange([...tickets, { ...newTicket, currency: tickets.at(-1)?.currency ?? newTicket.currency }])
          }
        >
          {texts.addTicket}
        </Button>
      </div>
    </div>
  )
}
