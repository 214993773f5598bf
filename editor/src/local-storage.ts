// Storage of the browser, and of a tab. Access throws if it is full or blocked: then nothing is stored.

const attempt = <Result>(access: () => Result): Result | undefined => {
  try {
    return access()
  } catch {
    return undefined
  }
}

/** What `sessionStorage` has ends with the tab. */
type Area = 'localStorage' | 'sessionStorage'

export const readItem = (key: string, area: Area = 'localStorage'): string | undefined =>
  attempt(() => window[area].getItem(key)) ?? undefined
export const keepItem = (key: string, text: string, area: Area = 'localStorage'): void =>
  attempt(() => window[area].setItem(key, text))
export const forgetItem = (key: string): void => attempt(() => localStorage.removeItem(key))
export const keysOf = (start: string): string[] =>
  attempt(() => Object.keys(localStorage))?.filter((key) => key.startsWith(start)) ?? []
