/** The record without the fields that are empty: they are omitted, not null (contract c.3). */
export function withoutEmpty<Fields extends object>(fields: Fields): Partial<Fields> {
  const full: Partial<Fields> = {}
  for (const name in fields) {
    const value: unknown = fields[name]
    if (value !== '' && value !== '0' && value !== 0 && value !== false && value !== null) full[name] = fields[name]
  }
  return full
}
