// A mail server that keeps what it receives. It takes each mail once `ready` resolves.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'

export async function startMailServer(ready: () => Promise<void> = async () => {}) {
  const mails: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let lines: string[] | undefined
    const say = (text: string) => void socket.write(`${text}\r\n`)
    say('220 mail.test')
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', async (line) => {
      if (lines === undefined) {
        if (/^data$/i.test(line)) lines = []
        say(/^data$/i.test(line) ? '354 go on' : /^quit$/i.test(line) ? '221 bye' : '250 ok')
      } else if (line === '.') {
        mails.push(decode(lines.join('\n')))
        lines = undefined
        await ready()
        say('250 taken')
      } else lines.push(line)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => void server.close() }
}

/** Decodes a body in quoted-printable. */
const decode = (mail: string): string => {
  const bytes = mail
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
