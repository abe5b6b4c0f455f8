// The documentation site (`npm run docs:site`): VitePress over `docs` and the documents beside the code.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DefaultTheme, UserConfig } from 'vitepress'
import {
  anchorOf,
  type ContentsPart,
  contents,
  home,
  pagePathOf,
  readDocument,
  siteDocuments,
  titleOf,
} from './page-paths.ts'
import { deadLinks } from './site-links.ts'
import { siteMarkdown } from './site-markdown.ts'
import { compressTexts, writeSiteTexts } from './site-texts.ts'

export const siteBase = '/docs/guide/'

const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))

const releases = [...readDocument('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+\S*)/gm)].map(([, number = '']) => number)

const documents = siteDocuments()

export const siteConfig = async (): Promise<UserConfig<DefaultTheme.Config>> => ({
  title: 'Lendloom',
  description: 'Documentation for apps that offer credit, for lenders and for operators.',
  lang: 'en',
  base: siteBase,
  srcDir: home,
  outDir: resolve(process.env.SITE_DIR ?? join(home, 'dist', 'guide')),
  cacheDir: join(home, 'node_modules', '.cache', 'vitepress'),
  srcExclude: [
    '!(docs|packages|examples)/**/*',
    '!(ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY).md',
    'packages/*/!(README.md)',
  ],
  rewrites: Object.fromEntries(documents.map((path) => [path, pagePathOf(path) ?? path])),
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  // Otherwise the switch adds a style element, which the policy of the programs forbids.
  appearance: { disableTransition: false },
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/favicon.ico' }]],
  markdown: {
    config: await siteMarkdown(),
    anchor: { slugify: anchorOf },
    // Other themes have colours below a contrast of 4.5.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  // The index of the search is one chunk, loaded when a reader searches.
  vite: { build: { chunkSizeWarningLimit: 1000 } },
  themeConfig: theme(),
  buildEnd({ outDir }) {
    writeSiteTexts(outDir, siteBase)
    const dead = deadLinks(outDir, siteBase)
    if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`)
    compressTexts(outDir)
  },
})

function theme(): DefaultTheme.Config {
  return {
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Guides', link: '/contents' },
      { component: 'ApiReferenceLink' },
      {
        text: version,
        items: releases.map((release) => ({
          text: release === version ? `${release}, this version` : release,
          link: `/changelog#${anchorOf(release)}`,
        })),
      },
    ],
    sidebar: { '/': contents().map(sidebarPart), '/decisions/': [{ text: 'Decisions', items: decisions() }] },
    outline: [2, 3],
    search: { provider: 'local' },
    notFound: {
      title: 'This page does not exist',
      quote: 'It may have moved. Search for it, or begin at the start.',
      linkText: 'To the start',
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  }
}

function sidebarPart({ title, groups }: ContentsPart): DefaultTheme.SidebarItem {
  // A collapsible group without a link would be a button within a button.
  const items = groups.flatMap((group): DefaultTheme.SidebarItem[] => {
    const links = group.links.map(({ text, path }) => ({ text, link: path.replace(/\.md$/, '') }))
    return group.title === '' ? links : [{ text: group.title, link: links[0]?.link, collapsed: true, items: links }]
  })
  return { text: title, items }
}

const decisions = (): DefaultTheme.SidebarItem[] =>
  documents
    .filter((path) => /^docs\/decisions\/\d/.test(path))
    .map((path) => ({ text: titleOf(readDocument(path)), link: `/${pagePathOf(path)?.replace(/\.md$/, '')}` }))
