// Everything that the page says in Hindi: each name is a file that is fetched, `first` comes with the document.
export { complaints } from './complaints.ts'
export { endings } from './endings.ts'
export { funds } from './funds.ts'
export { help } from './help.ts'
export { loan } from './loan.ts'
export { offers } from './offers.ts'
export { first, later } from './page.ts'
export { requests } from './requests.ts'
