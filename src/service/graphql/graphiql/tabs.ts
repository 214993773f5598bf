// The example tabs of GraphiQL. They do not refer to specific records, so they work with any content.
import { languageCode } from '../../../basics/language.ts'

export interface Tab {
  readonly query: string
  /** JSON with comments. */
  readonly variables?: string
  readonly headers?: string
}

/** The examples read and write in `language`, one of the site's `languages`. Each says what to try next. */
export function exampleTabs(language: string, languages: readonly string[], now: Date): readonly Tab[] {
  return [
    { query: nextEvents.replace('EN', languageCode(language)) },
    { query: monthAndFacets },
    { query: everyLanguage },
    { query: findEvents, variables: findVariables },
    {
      query: createEvent.replace('EN', languageCode(language)),
      variables: `${JSON.stringify({ input: newEvent(language, languages, now) }, null, 2)}\n`,
      headers: signIn,
    },
    { query: formErrors, headers: signIn },
    { query: eventChanges },
  ]
}

const titles: Readonly<Record<string, string>> = { en: 'Music day', fr: 'Fête de la musique', es: 'Día de la música' }

function newEvent(language: string, languages: readonly string[], now: Date) {
  const others = languages.filter((other) => other !== language && titles[other] !== undefined)
  const day = `${now.getUTCFullYear() + 1}-06-21`
  return {
    title: titles[language] ?? titles.en,
    translations: others.map((other) => ({ language: languageCode(other), name: titles[other] })),
    startsLocal: `${day}T18:00:00`,
    endsLocal: `${day}T23:30:00`,
    timeZone: 'Europe/Paris',
    venues: [{ create: { name: 'Place Bellecour', city: 'Lyon' } }],
    categories: [{ nameOrSlug: 'Concerts' }],
  }
}

const nextEvents = `# The next events, in the language of
# @inContext, or of the URL without it.
# Next: another language, or when: NOW.
query NextEvents @inContext(language: EN) {
  events(first: 5, filter: { when: UPCOMING }) {
    totalCount
    nodes {
      title
      startsLocal
      timeZone
      url
      venues {
        name
        city
      }
      categories {
        name
      }
    }
  }
}
`

const monthAndFacets = `# The days of a month that have events, and
# what a search could be narrowed down to.
# Next: a filter for both, for example
# (filter: { search: "concert" }).
query MonthAndFacets {
  eventCalendar(
    from: "first day of this month"
    to: "last day of this month"
  ) {
    totalCount
    days {
      date
      totalCount
      events(first: 2) {
        title
        startsLocal
      }
    }
  }
  eventFacets {
    categories(first: 5) {
      category {
        name
      }
      count
    }
    cities(first: 5) {
      city
      count
    }
    prices {
      price
      count
    }
  }
}
`

const everyLanguage = `# One event in the current language, and
# its texts in all languages.
# Next: the address of each page, url.
query EveryLanguage {
  events(first: 1, filter: { when: UPCOMING }) {
    nodes {
      title
      contentLanguage
      languages {
        title
        description
      }
      translations {
        language
        name
        slug
        description
      }
    }
  }
}
`

const findEvents = `# Events that match all filters, nearest first.
# The variables are below. Next: another place
# there, or orderBy: { field: RELEVANCE }.
query FindEvents($filter: EventFilter, $from: CoordinatesInput!) {
  eventsPage(perPage: 5, filter: $filter, orderBy: { field: DISTANCE }) {
    total
    items {
      title
      startsLocal
      distance(from: $from)
      venues {
        name
        city
      }
      categories {
        name
        slug
      }
    }
  }
}
`

const findVariables = `{
  "filter": {
    "when": "UPCOMING",
    "search": "concert",
    // Kilometres around the harbour of the sample.
    "near": {
      "center": { "latitude": 28.84, "longitude": -17.79 },
      "radius": 20
    }
  },
  "from": { "latitude": 28.84, "longitude": -17.79 }
}
`

const createEvent = `# An event in every language, and its venue.
# Sign in first: under Headers, below. Next:
# updateEvent with its id and another title.
mutation CreateEvent($input: CreateEventInput!) @inContext(language: EN) {
  createEvent(input: $input) {
    event {
      databaseId
      title
      url
      translations {
        language
        name
      }
    }
    userErrors {
      code
      path
      message
    }
  }
}
`

const formErrors = `# What a form shows for wrong values:
# problems, each with the path of its field.
# Sign in first. Next: mend one value after
# the other: the end is checked last.
mutation FormErrors {
  createEvent(
    input: {
      title: ""
      startsLocal: "2030-05-02T20:00:00"
      endsLocal: "2030-05-01T20:00:00"
      timeZone: "Europe/Lyon"
      website: "example"
    }
  ) {
    event {
      databaseId
    }
    userErrors {
      code
      path
      message
    }
  }
}
`

const eventChanges = `# Each change to an upcoming event, as it
# happens. Next: run this, open the page in
# another window, and run CreateEvent there.
subscription EventChanges {
  eventChanged(filter: { when: UPCOMING }) {
    type
    databaseId
    event {
      title
      startsLocal
    }
  }
}
`

const signIn = `{
  // To write, sign in: by an API token, or by "Basic" with login:password in base64.
  // "Authorization": "Bearer <API token>"
}
`
