// Results from the result cache, whose fields are resolved when they are read. Most are sent as cached bytes instead.
import { type Serializations, serializationsKey } from '../../service/graphql/serializations.ts'

export interface LazySelection {
  readonly byKey: ReadonlyMap<string, unknown>
  /** Creates an object with these keys. */
  readonly newResult: () => Record<string, unknown>
}

/** Creates an object with the fields of the selection, which cannot be replaced. */
export const lazyResult = (
  selection: LazySelection,
  serializations: Serializations,
  resolveField: (key: string) => unknown,
): object => new Proxy({}, new LazyFields(selection, serializations, resolveField))

class LazyFields implements ProxyHandler<object> {
  readonly #selection: LazySelection
  readonly #serializations: Serializations
  readonly #resolveField: (key: string) => unknown
  #fields: Record<string, unknown> | undefined
  #unresolved: Set<string> | undefined

  constructor(selection: LazySelection, serializations: Serializations, resolveField: (key: string) => unknown) {
    this.#selection = selection
    this.#serializations = serializations
    this.#resolveField = resolveField
    this.#fields = serializations.fields
  }

  get(_target: object, key: string | symbol): unknown {
    if (key === serializationsKey) return this.#serializations
    return this.#has(key) ? this.#fieldsWith(key)[key] : Reflect.get(Object.prototype, key)
  }

  has(_target: object, key: string | symbol): boolean {
    return this.#has(key) || Reflect.has(Object.prototype, key)
  }

  ownKeys(): string[] {
    return [...this.#selection.byKey.keys()]
  }

  getOwnPropertyDescriptor(_target: object, key: string | symbol): PropertyDescriptor | undefined {
    return this.#has(key) ? Reflect.getOwnPropertyDescriptor(this.#fieldsWith(key), key) : undefined
  }

  set(): boolean {
    return false
  }

  defineProperty(): boolean {
    return false
  }

  deleteProperty(): boolean {
    return false
  }

  preventExtensions(): boolean {
    return false
  }

  setPrototypeOf(): boolean {
    return false
  }

  #has(key: string | symbol): key is string {
    return typeof key === 'string' && this.#selection.byKey.has(key)
  }

  #fieldsWith(key: string): Record<string, unknown> {
    if (!this.#fields) {
      this.#fields = this.#selection.newResult()
      this.#unresolved = new Set(this.#selection.byKey.keys())
    }
    if (this.#unresolved?.has(key)) {
      this.#fields[key] = this.#resolveField(key)
      this.#unresolved.delete(key)
    }
    return this.#fields
  }
}
