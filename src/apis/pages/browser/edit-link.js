// Shows a link to the editor to those who may edit what the page shows. The page itself is the same for everybody.
const { query, id, href, label, graphql } = document.currentScript.dataset

async function mayEdit() {
  const response = await fetch(graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-requested-with': 'page' },
    body: JSON.stringify({ query, variables: id ? { id } : {} }),
  })
  // The session has ended: later pages need not ask.
  // biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store API is missing in some browsers.
  if (response.status === 401) document.cookie = 'signed-in=; Max-Age=0; Path=/'
  const { data } = await response.json()
  return data?.record?.viewerCanUpdate ?? data?.viewer?.rights.includes('WRITE')
}

async function showLink() {
  if (!(await mayEdit())) return
  const link = Object.assign(document.createElement('a'), { className: 'edit', textContent: label, href })
  document.querySelector('.site-header nav:last-of-type').before(link)
}

// Without the link, the page is as it is for visitors.
if (/(^|; )signed-in=1(;|$)/.test(document.cookie)) showLink().catch(() => {})
