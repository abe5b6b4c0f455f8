// The theme: VitePress's own without its fonts, in the colours of our pages.
import theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import '@lendloom/design/tokens.css'
import './site.css'

/** The API reference is a page of the program beside the site. */
const ApiReferenceLink = () => h('a', { class: 'api-link', href: '/docs', target: '_self' }, 'API reference')

const mark = () => h('img', { class: 'mark', src: '/favicon.ico', alt: '', width: 24, height: 24 })

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'nav-bar-title-before': mark }),
  enhanceApp: ({ app }) => app.component('ApiReferenceLink', ApiReferenceLink),
}
