// What the browser keeps. It may refuse that, for example if it is full or blocked: then nothing is kept.

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
