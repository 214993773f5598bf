// Checks and writes the tickets of an event.

import { badInput } from '../../basics/errors.ts'
import { checkEach } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { UpdateEvent } from './inputs.ts'

const currency = /^[A-Z]{3}$/
const price = /^\d{1,10}(\.\d{1,2})?$/

type Tickets = UpdateEvent['tickets']

export const checkTickets = (tickets: Tickets) =>
  checkEach('tickets', tickets ?? [], (ticket) => {
    const errors = {
      ...(!price.test(ticket.price) && { price: 'price must be a decimal number such as 12.50.' }),
      ...(!currency.test(ticket.currency) && { currency: 'currency must be an ISO 4217 code such as EUR.' }),
      ...((ticket.capacity ?? 0) < 0 && { capacity: 'capacity must be 0 or more.' }),
    }
    if (Object.keys(errors).length > 0) throw badInput(errors)
  })

export async function replaceTickets(tx: Tx, eventId: number, tickets: Tickets): Promise<void> {
  if (tickets == null) return
  await tx.ticket.deleteMany({ where: { eventId } })
  await tx.ticket.createMany({ data: tickets.map((ticket, position) => ({ ...ticket, eventId, position })) })
}
