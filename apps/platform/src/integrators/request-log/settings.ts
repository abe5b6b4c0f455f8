// Settings of the log of API requests.
import { number } from '@lendloom/foundation/config'

export const requestLogSettings = {
  REQUEST_LOG_DAYS: number(
    'Days to retain integrators’ API requests with masked bodies for the console; 0 disables the log',
    30,
    0,
    365,
  ),
}
