// English texts of the documentation's own answers.
import { html } from '@lendloom/http/markup'

export const missingGuidePage = {
  title: 'The documentation is not built',
  body: html`<p>The platform is running, but its documentation site is missing. Run <code>npm run docs:site</code> in the Lendloom folder, then reload this page. The <a href="/docs">API reference</a> does not need it.</p>`,
}
