// HTML as the sandbox's pages write it.
export { escaped, Html, html } from '#kit/http/markup.ts'
