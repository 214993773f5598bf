/** The plain texts of a venue. Requests, responses and the documentation of both read them from here. */
const venueTexts = {
  address: 'Street and number.',
  city: 'City.',
  country: 'Country.',
  province: 'Province.',
  state: 'State.',
  zip: 'Postal code.',
  phone: 'Telephone number.',
} as const

type VenueText = keyof typeof venueTexts

/** An object with a value for each text, in the order of the contract. */
export const eachText = <Value>(read: (name: VenueText, description: string) => Value) =>
  Object.fromEntries(
    Object.entries(venueTexts).map(([name, description]) => [name, read(name as VenueText, description)]),
  ) as Record<VenueText, Value>
