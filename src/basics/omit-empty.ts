/** Returns a copy of the object without its empty fields, which REST responses omit (contract c.3). */
export function omitEmpty<Fields extends object>(fields: Fields): Partial<Fields> {
  const nonEmpty: Partial<Fields> = {}
  for (const name in fields) {
    const value: unknown = fields[name]
    if (value !== '' && value !== '0' && value !== 0 && value !== false && value != null) nonEmpty[name] = fields[name]
  }
  return nonEmpty
}
