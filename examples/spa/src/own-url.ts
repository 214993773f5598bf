/** Whether a URL leads to this site. Texts may contain URLs that are not valid. */
export const isOwnUrl = (url: string): boolean =>
  URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin
