// Sets a signal where an expression is called for.
import type { Signal } from '@preact/signals'

export function assign<T>(signal: Signal<T>, value: T): void {
  signal.value = value
}
