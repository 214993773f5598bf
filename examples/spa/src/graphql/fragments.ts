import { graphql } from '../gql/gql.ts'

export const imageParts = graphql(`
  fragment ImageParts on Image {
    id
    contentLanguage
    url
    altText
    caption
    credit
    width
    height
    sizes {
      url
      width
      height
    }
    alternates {
      url
      width
      height
      mimeType
    }
  }
`)

export const eventCard = graphql(`
  fragment EventCard on Event {
    id
    contentLanguage
    databaseId
    title
    url
    startsLocal
    endsLocal
    allDay
    eventStatus
    status
    locked
    excerpt
    cost {
      text
      currency
      minimum
      maximum
    }
    categories {
      id
      contentLanguage
      databaseId
      name
    }
    venues {
      id
      contentLanguage
      name
      city
    }
    image {
      ...ImageParts
    }
  }
`)

export const siteQuery = graphql(`
  query Site {
    site {
      name
      timeZone
    }
  }
`)
