// The graph by which Prisma Client finds the values in a query. Its nodes are objects whose keys are positions in a table of
// strings. V8 stores objects with keys below 1,024 as arrays with gaps, 4 KB for each of 2,200 nodes here, and those with
// greater keys as hash tables, which take a tenth of that.

/** The number of unused strings that the shifted graph needs ahead of the others. */
export const unusedStrings = 2048

/** The same graph, in base64url, with greater positions. */
export function shiftPositions(graph: string): string {
  const bytes = Buffer.from(graph, 'base64url')
  const written: number[] = []
  let position = 0
  const readNumber = () => {
    for (let [value, bits] = [0, 0]; ; bits += 7) {
      const byte = bytes.readUInt8(position++)
      value |= (byte & 0x7f) << bits
      if (byte < 0x80) return value
    }
  }
  const writeNumber = (value: number) => {
    let rest = value
    for (; rest >= 0x80; rest >>= 7) written.push((rest & 0x7f) | 0x80)
    written.push(rest)
    return value
  }
  const copyNumber = () => writeNumber(readNumber())
  const copyBytes = (count: number) => {
    written.push(...bytes.subarray(position, position + count))
    position += count
  }
  const shiftPosition = () => writeNumber(readNumber() + unusedStrings)
  /** 0 means none. */
  const shiftOptional = () => {
    const value = readNumber()
    writeNumber(value && value + unusedStrings)
  }
  const times = (count: number, action: () => void) => {
    for (let done = 0; done < count; done += 1) action()
  }

  const [inputs, outputs, roots] = [copyNumber(), copyNumber(), copyNumber()]
  times(inputs, () =>
    times(copyNumber(), () => {
      shiftPosition()
      // Types of its values.
      copyBytes(2)
      // The node below.
      copyNumber()
      // The name of its enum.
      shiftOptional()
      // Flags.
      copyBytes(1)
    }),
  )
  const copyOutputs = () => {
    shiftPosition()
    // The nodes of arguments and of fields.
    copyNumber()
    copyNumber()
  }
  times(outputs, () => times(copyNumber(), copyOutputs))
  times(roots, copyOutputs)
  if (position !== bytes.length) throw new Error('The parameter graph of Prisma Client has another format')
  return Buffer.from(written).toString('base64url')
}
