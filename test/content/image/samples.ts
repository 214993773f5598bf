// The fewest bytes that make a picture of 3 by 2 of each type.
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const box = (name: string, ...content: Buffer[]) => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), ...content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 4)
  return Buffer.concat([size, body])
}

export const png = hex('89504e470d0a1a0a 0000000d 49484452 00000003 00000002 0802000000 00000000')
export const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), hex('0300 0200 00 00 00 3b')])
export const jpg = hex('ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 0000 ffc0 000b 08 0002 0003 01 01 11 00 ffd9')
export const webp = Buffer.concat([
  Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
  hex('00 000000 020000 010000'),
])
export const avif = Buffer.concat([
  box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
  box('meta', Buffer.alloc(4), box('iprp', box('ipco', box('ispe', hex('00000000 00000003 00000002'))))),
])
export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"></svg>')
