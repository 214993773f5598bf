// Local storage of the browser. Access throws if it is full or blocked: then nothing is stored.

const attempt = <Result>(access: () => Result): Result | undefined => {
  try {
    return access()
  } catch {
    return undefined
  }
}

export const readItem = (key: string): string | undefined => attempt(() => localStorage.getItem(key)) ?? undefined
export const keepItem = (key: string, text: string): void => attempt(() => localStorage.setItem(key, text))
export const forgetItem = (key: string): void => attempt(() => localStorage.removeItem(key))
