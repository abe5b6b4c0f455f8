// Assigns to a signal where an expression is needed, such as the body of an arrow function.
import type { Signal } from '@preact/signals'

export function assign<T>(signal: Signal<T>, value: T): void {
  signal.value = value
}
