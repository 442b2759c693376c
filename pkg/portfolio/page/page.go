// Package page writes what is public of a portfolio: the page of a project, the list of
// an organisation's projects, a sitemap, and the pages that say that there is nothing.
//
// The pages are whole HTML documents without scripts, with one style sheet inside of
// them. All texts are taken for plain text and are escaped; addresses of people are
// linked only where their form is known.
package page

import (
	"bytes"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Options say where pages stand.
type Options struct {
	// Base is the scheme and host of all addresses, without a slash at the end:
	// "https://host". Where it is "", addresses stay relative to the host.
	Base string
	// Site is the organisation's part of addresses; "" is that of the profile.
	Site string
	// Image returns the address of a photo at one of its widths, relative to the host
	// or whole; nil is Photo.
	Image func(id string, width int) string
}

// Address returns the path of a project's page.
func Address(site, slug string) string {
	return "/p/" + url.PathEscape(site) + "/" + url.PathEscape(slug)
}

// Photo returns the path of a photo at one of its widths.
func Photo(site, id string, width int) string {
	return "/p/" + url.PathEscape(site) + "/photos/" + url.PathEscape(id) + "-" + strconv.Itoa(width) + ".jpg"
}

// Write writes the page of a project. Photos that a block names and the page does not
// have are left out; photos that no block names stand at the end.
func Write(w io.Writer, pg projects.Page, o Options) error {
	return write(w, "project", newProject(pg, o.of(pg.Business)))
}

// WriteSite writes the list of an organisation's projects.
func WriteSite(w io.Writer, s projects.Site, o Options) error {
	return write(w, "site", newSite(s, o.of(s.Business)))
}

// WriteGone writes what stands at the address of a page that was taken back.
func WriteGone(w io.Writer, o Options) error {
	return write(w, "note", newNote("This page was taken back",
		"The business that showed its work here does not show this job any more.", o))
}

// WriteNotFound writes what stands at an address that has no page.
func WriteNotFound(w io.Writer, o Options) error {
	return write(w, "note", newNote("There is no page here",
		"The address may have been mistyped, or the page has never been published.", o))
}

// Size returns how many bytes the page of a project has, without its photos, at a
// host whose name is long.
func Size(pg projects.Page) int {
	var n counter
	o := Options{Base: "https://" + strings.Repeat("x", 56), Site: pg.Business.Site}
	if Write(&n, pg, o) != nil {
		return 0
	}
	return int(n)
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// of fills in what is left out.
func (o Options) of(b projects.Business) Options {
	if o.Site == "" {
		o.Site = b.Site
	}
	if o.Image == nil {
		site := o.Site
		o.Image = func(id string, width int) string { return Photo(site, id, width) }
	}
	return o
}

// whole returns an address with scheme and host.
func (o Options) whole(path string) string {
	if strings.HasPrefix(path, "/") {
		return o.Base + path
	}
	return path
}

// write writes a document at once or not at all.
func write(w io.Writer, name string, data any) error {
	all, err := templates()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Grow(32 << 10)
	if err := all.documents.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	_, err = b.WriteTo(w)
	return err
}
