/** IDs per page, in bits. */
const pageBits = 12
const mask = (1 << pageBits) - 1

/** A set of IDs with one bit for each ID, in pages. 100,000 consecutive IDs take 13 KB. */
export class BitSet {
  readonly #pages = new Map<number, Uint8Array>()

  constructor(ids: Iterable<number> = []) {
    for (const id of ids) this.add(id)
  }

  has(id: number): boolean {
    const byte = this.#pages.get(id >>> pageBits)?.[(id & mask) >> 3] ?? 0
    return (byte & (1 << (id & 7))) !== 0
  }

  add(id: number): void {
    const number = id >>> pageBits
    const page = this.#pages.get(number) ?? new Uint8Array(1 << (pageBits - 3))
    this.#pages.set(number, page)
    const index = (id & mask) >> 3
    page[index] = (page[index] ?? 0) | (1 << (id & 7))
  }

  delete(id: number): void {
    const page = this.#pages.get(id >>> pageBits)
    const index = (id & mask) >> 3
    if (page) page[index] = (page[index] ?? 0) & ~(1 << (id & 7))
  }
}
