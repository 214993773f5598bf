import { createContext, useContext } from 'react'

export interface Site {
  readonly name: string
  readonly timeZone: string
}

export const SiteContext = createContext<Site>({ name: '', timeZone: 'UTC' })
export const useSite = (): Site => useContext(SiteContext)
