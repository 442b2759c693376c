package projects

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/page"
)

// How long what is public may be kept by caches. A page is asked for again each time,
// so that one which was taken back is gone at once; a photo never changes, but its
// page may be taken back, too.
const (
	keepPage  = "public, no-cache"
	keepPhoto = "public, max-age=3600"
)

// public lets f answer for everybody.
func (h *Handler) public(f func(w http.ResponseWriter, r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			h.failPublic(w, r, err)
		}
	}
}

// failPublic answers with a page that says what is the matter.
func (h *Handler) failPublic(w http.ResponseWriter, r *http.Request, err error) {
	// One address has one page.
	if path := strings.TrimRight(r.URL.Path, "/"); fault.Is(err, fault.NotFound) && path != r.URL.Path &&
		strings.HasPrefix(path, "/p/") && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		http.Redirect(w, r, (&url.URL{Path: path}).EscapedPath(), http.StatusMovedPermanently)
		return
	}
	f := fault.From(err)
	status := httpx.Status(f.Kind)
	httpx.Note(r.Context(), err)
	var body bytes.Buffer
	var failed error
	switch f.Kind {
	case fault.Gone:
		failed = page.WriteGone(&body, h.options(r, "")) // it may have been the only one of its site
	case fault.NotFound:
		failed = page.WriteNotFound(&body, h.options(r, ""))
	default:
		httpx.Fail(w, r, err)
		return
	}
	if failed != nil {
		httpx.Fail(w, r, failed)
		return
	}
	h.protect(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// protect sets the headers of all that is public.
func (h *Handler) protect(head http.Header) {
	head.Set("Content-Security-Policy", h.policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	head.Set("X-Frame-Options", "DENY") // for browsers that don't read frame-ancestors
}

// send answers with what write writes, or that the client has it already.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, contentType string,
	write func(b *bytes.Buffer) error) error {
	var body bytes.Buffer
	if err := write(&body); err != nil {
		return fmt.Errorf("write a public page: %w", err)
	}
	sum := sha256.Sum256(body.Bytes())
	h.protect(w.Header())
	w.Header().Set("Cache-Control", keepPage)
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("ETag", strconv.Quote(base64.RawURLEncoding.EncodeToString(sum[:12])))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body.Bytes()))
	return nil
}

// options say where the pages of a site are.
func (h *Handler) options(r *http.Request, site string) page.Options {
	return page.Options{Base: cmp.Or(h.cfg.Base, httpx.Origin(r)), Site: site}
}

var (
	siteShape = regexp.MustCompile(`^[a-z0-9](-?[a-z0-9]){0,79}$`)
	fileShape = regexp.MustCompile(`^([a-z2-9]{24})-([1-9][0-9]{0,4})\.jpg$`)
)

// named returns what stands in the address, if it can be the name of something.
func named(r *http.Request, parameter string) (string, error) {
	name := r.PathValue(parameter)
	if !siteShape.MatchString(name) {
		return "", httpx.ErrNotFound()
	}
	return name, nil
}

func (h *Handler) page(w http.ResponseWriter, r *http.Request) error {
	site, err := named(r, "site")
	if err != nil {
		return err
	}
	slug, err := named(r, "slug")
	if err != nil {
		return err
	}
	p, err := h.cfg.Pages.Page(r.Context(), site, slug)
	if err != nil {
		return err
	}
	if p.MovedTo != "" {
		w.Header().Set("Cache-Control", keepPage)
		http.Redirect(w, r, page.Address(site, p.MovedTo), http.StatusMovedPermanently)
		return nil
	}
	return h.send(w, r, "text/html; charset=utf-8", func(b *bytes.Buffer) error {
		return page.Write(b, p, h.options(r, site))
	})
}

func (h *Handler) site(w http.ResponseWriter, r *http.Request) error {
	site, err := named(r, "site")
	if err != nil {
		return err
	}
	s, err := h.cfg.Pages.Site(r.Context(), site)
	if err != nil {
		return err
	}
	return h.send(w, r, "text/html; charset=utf-8", func(b *bytes.Buffer) error {
		return page.WriteSite(b, s, h.options(r, site))
	})
}

func (h *Handler) sitemap(w http.ResponseWriter, r *http.Request) error {
	site, err := named(r, "site")
	if err != nil {
		return err
	}
	s, err := h.cfg.Pages.Site(r.Context(), site)
	if err != nil {
		return err
	}
	return h.send(w, r, "application/xml", func(b *bytes.Buffer) error {
		return page.WriteSitemap(b, s, h.options(r, site))
	})
}

func (h *Handler) robots(w http.ResponseWriter, r *http.Request) error {
	site, err := named(r, "site")
	if err != nil {
		return err
	}
	return h.send(w, r, "text/plain; charset=utf-8", func(b *bytes.Buffer) error {
		return page.WriteRobots(b, h.options(r, site))
	})
}

// publicPhoto answers with a photo of a page that is public.
func (h *Handler) publicPhoto(w http.ResponseWriter, r *http.Request) error {
	site, err := named(r, "site")
	if err != nil {
		return err
	}
	m := fileShape.FindStringSubmatch(r.PathValue("file"))
	if m == nil {
		return httpx.ErrNotFound()
	}
	width, err := strconv.Atoi(m[2])
	if err != nil {
		return httpx.ErrNotFound()
	}
	content, mediaType, err := h.cfg.Pages.Photo(r.Context(), site, m[1], width)
	if err != nil {
		return err
	}
	h.protect(w.Header())
	w.Header().Set("Cache-Control", keepPhoto)
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("ETag", strconv.Quote(m[1]+"-"+m[2]))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	return nil
}
