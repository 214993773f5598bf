/** Returns a copy without empty fields: responses omit them (contract c.3). */
export function omitEmpty<Fields extends object>(fields: Fields): Partial<Fields> {
  const nonEmpty: Partial<Fields> = {}
  for (const name in fields) {
    const value: unknown = fields[name]
    if (value !== '' && value !== '0' && value !== 0 && value !== false && value != null) nonEmpty[name] = fields[name]
  }
  return nonEmpty
}
