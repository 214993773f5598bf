// The form as it is, as it was saved, and as the service returned it then.
import { type FieldName, fieldNames, isSame, textFields, type Values } from './values.ts'

export interface FormState {
  readonly values: Values
  /** What the form had when it was saved. Values that differ are unsaved. */
  readonly saved: Values
  /** What the service has: it may write a text in another way than the form. */
  readonly server: Values
}

interface Merged {
  readonly state: FormState
  /** Fields that only the other person changed. */
  readonly theirs: readonly FieldName[]
  /** Fields that both changed in another way. The form keeps its own value until a person decides. */
  readonly conflicts: readonly FieldName[]
}

/** What people type, which the service may write in another way, or leave out while it is empty. */
const isTyped = (name: FieldName) =>
  ['cost', 'tickets', 'onlineUrl', 'website', ...textFields.map((field) => `${field}.`)].some((start) =>
    name.startsWith(start),
  )

/** A draft saves itself while somebody writes a password, which the service does not return. */
const isNewPassword = (name: FieldName, { password }: Values) => name === 'password' && password !== null

export const changedFields = ({ values, saved }: Pick<FormState, 'values' | 'saved'>): FieldName[] =>
  fieldNames(values).filter((name) => !isSame(values[name], saved[name]))

const pick = (names: readonly FieldName[], from: Values): Partial<Values> =>
  Object.fromEntries(names.map((name) => [name, from[name]]))

/** After `sent` was saved, of which a person may have changed something since. What was typed stays as it is. */
export function afterSave({ values }: FormState, sent: Values, server: Values): FormState {
  const names = fieldNames(values)
  const renewed = pick(
    names.filter((name) => !isTyped(name) && !isNewPassword(name, sent) && isSame(values[name], sent[name])),
    server,
  )
  return { values: { ...values, ...renewed }, saved: { ...sent, ...renewed }, server }
}

/** Brings in what another person saved in the meantime. */
export function merge({ values, saved, server }: FormState, latest: Values): Merged {
  const changedByThem = fieldNames(values).filter((name) => !isSame(server[name], latest[name]))
  const mine = changedFields({ values, saved })
  const theirs = changedByThem.filter((name) => !mine.includes(name))
  const both = changedByThem.filter((name) => mine.includes(name))
  const taken = pick([...theirs, ...both.filter((name) => isSame(values[name], latest[name]))], latest)
  return {
    state: { values: { ...values, ...taken }, saved: { ...saved, ...taken }, server: latest },
    theirs,
    conflicts: both.filter((name) => !isSame(values[name], latest[name])),
  }
}

/** Takes the other person's value of a field. */
export const takeTheirs = ({ values, saved, server }: FormState, name: FieldName): FormState => ({
  values: { ...values, [name]: server[name] },
  saved: { ...saved, [name]: server[name] },
  server,
})
