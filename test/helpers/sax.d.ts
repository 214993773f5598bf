declare module 'sax' {
  interface Tag {
    readonly name: string
    readonly attributes: Readonly<Record<string, string>>
  }

  interface Parser {
    onerror: (error: Error) => void
    onopentag: (tag: Tag) => void
    onclosetag: (name: string) => void
    ontext: (text: string) => void
    oncdata: (text: string) => void
    write(text: string): Parser
    close(): Parser
  }

  export function parser(strict: boolean): Parser
}
