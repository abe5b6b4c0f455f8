// Sets a signal in an expression, such as an arrow function's body.
import type { Signal } from '@preact/signals'

export function assign<T>(signal: Signal<T>, value: T): void {
  signal.value = value
}
