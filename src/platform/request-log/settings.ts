// What an operator may set of the log of API requests.
import { number } from '#kit/runtime/config.ts'

export const requestLogSettings = {
  REQUEST_LOG_DAYS: number(
    'Days that API requests of integrators are kept with their masked bodies, for the console; 0 keeps none',
    30,
    0,
    365,
  ),
}
